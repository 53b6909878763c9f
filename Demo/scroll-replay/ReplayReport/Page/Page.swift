internal import Laboratory
internal import LullTesting
internal import Mustache
internal import ReplayText

/// The page of a report.
struct Page {
    let traces: [TracePicture]
    let facts: Report.Facts

    /// The page as HTML.
    var text: String {
        guard let template = try? MustacheTemplate(string: WebFiles.template) else {
            preconditionFailure("the page's template is one")
        }
        return template.render(values)
    }

    /// The values of the template.
    ///
    /// All texts are escaped here, as the template inserts them unchanged.
    private var values: [String: Any] {
        let settings = Set(traces.flatMap { $0.runs.map { settingText(of: $0.log) } }).sorted()
        return [
            "title": escaped(facts.title), "verdict": escaped(facts.verdict),
            "command": escaped(facts.command), "version": escaped(facts.version),
            "hasVerdict": !facts.verdict.isEmpty, "hasCommand": !facts.command.isEmpty,
            "hasVersion": !facts.version.isEmpty,
            "settings": escaped(settings.joined(separator: "; ")),
            "style": WebFiles.style, "script": WebFiles.script, "data": PageData.text(of: traces),
            "traces": traces.enumerated().map { index, trace in
                ["index": "\(index)", "name": escaped(trace.name)]
            },
            "isSeveral": traces.count > 1,
            "columns": FigureColumn.all.map { column in
                [
                    "name": escaped(column.name), "unit": escaped(column.unit),
                    "meaning": escaped(column.meaning),
                ]
            },
            "columnCount": "\(FigureColumn.all.count + 1)",
            "parts": parts,
        ]
    }

    /// The parts of the table: all traces together, then each.
    private var parts: [[String: Any]] {
        var parts: [[String: Any]] = []
        if traces.count > 1 {
            parts.append(["name": "All \(traces.count) traces", "rows": FigureTable.rows(sums)])
        }
        for trace in traces {
            let entries = trace.runs.map { (name: $0.label, figures: $0.log.figures) }
            parts.append(["name": escaped(trace.name), "rows": FigureTable.rows(entries)])
        }
        return parts
    }

    /// The figures of each contender over all traces.
    private var sums: [(name: String, figures: Figures)] {
        var labels: [String] = []
        for run in traces.flatMap(\.runs) where !labels.contains(run.label) {
            labels.append(run.label)
        }
        return labels.map { label in
            let runs = traces.flatMap(\.runs).filter { $0.label == label }
            return (name: label, figures: Figures(sumOf: runs.map(\.log.figures)))
        }
    }

    private func settingText(of log: ReplayLog) -> String {
        let title = log.title
        let costs = title.setting.isEmpty ? "" : "costs \(title.setting), "
        let lanes = title.lanes > 0 ? ", \(counted(title.lanes, "lane"))" : ""
        return "\(costs)\(title.hz) Hz, seed \(title.seed)\(lanes)"
    }
}
