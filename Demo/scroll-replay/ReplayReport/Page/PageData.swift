internal import Laboratory
internal import LullTesting
internal import ReplayText
internal import ScrollModel

/// The data for the page's script: one JSON text, whose long lists are encoded as
/// ``VariableLength``.
///
/// Times are µs, places tenths of a pixel; the comment on each method lists its fields in order.
struct PageData {
    private var texts = TextTable()

    /// Returns the data of these traces.
    static func text(of traces: [TracePicture]) -> String {
        var data = PageData()
        let traces = traces.map { data.encoded($0) }
        return JSON.members([
            ("format", .whole(1)), ("traces", .list(traces)),
            ("inputs", .list(InputKind.allCases.map { .text($0.name) })),
            ("causes", .list(Landing.Cause.allCases.map { .text($0.words) })),
            ("kinds", .list(StoryLine.Kind.allCases.map { .text($0.rawValue) })),
            ("texts", .list(data.texts.all.map { .text(printable($0)) })),
        ]).rendered
    }

    private mutating func encoded(_ trace: TracePicture) -> JSON {
        let first = trace.runs[0].log
        let rows = trace.rows
        let view = PictureView(of: trace, rows: rows)
        return .members([
            ("name", .text(printable(trace.name))), ("end", .whole(microseconds(trace.end))),
            ("viewport", .whole(tenths(first.viewportHeight))),
            ("rowCount", .whole(first.list.rowCount)), ("rows", .text(rows.text)),
            (
                "view",
                .list([
                    .whole(microseconds(view.end)), .whole(view.places.lowerBound),
                    .whole(view.places.upperBound),
                ])
            ),
            ("runs", .list(trace.runs.map { encoded($0) })),
        ])
    }

    private mutating func encoded(_ run: RunAccount) -> JSON {
        let title = run.log.title
        return .members([
            ("label", .text(printable(run.label))), ("setting", .text(printable(title.setting))),
            ("hz", .whole(title.hz)), ("numbers", .text(FigureTable.numbers(of: run))),
            ("frames", .text(frames(of: run.log))), ("inputs", .text(inputs(of: run.log))),
            ("targets", .text(targets(of: run.log))), ("slices", .text(slices(of: run.log))),
            ("bars", .text(bars(of: run))), ("blanks", .text(blanks(of: run))),
            ("landings", .text(landings(of: run))),
            ("warm", .text(VariableLength.text(ofSteps: run.warm.sorted()))),
            ("stories", .text(stories(of: run))),
        ])
    }

    /// Encodes number, due − the last due, start − due, length, deadline − end, offset, first row
    /// and number of rows on screen, queue; number, offset, first row and queue as differences.
    private func frames(of log: ReplayLog) -> String {
        var text = VariableLength()
        var last = (number: 0, due: 0, offset: 0, row: 0, queued: 0)
        for frame in log.frames {
            let due = microseconds(frame.due)
            let start = microseconds(frame.start)
            let end = microseconds(frame.end)
            text.append(frame.number - last.number)
            text.append(due - last.due)
            text.append(start - due)
            text.append(end - start)
            // A frame that is late by less than 1 µs still counts as late.
            let spare = microseconds(frame.deadline) - end
            text.append(frame.isLate ? min(-1, spare) : max(0, spare))
            text.append(tenths(frame.offset) - last.offset)
            text.append(frame.visible.bounds.lowerBound - last.row)
            text.append(frame.visible.bounds.count)
            text.append(frame.queued - last.queued)
            last = (
                frame.number, due, tenths(frame.offset), frame.visible.bounds.lowerBound,
                frame.queued
            )
        }
        return text.text
    }

    /// Encodes time as differences, kind, wait, length.
    private func inputs(of log: ReplayLog) -> String {
        var text = VariableLength()
        var last = 0
        for input in log.inputs {
            let time = microseconds(input.time)
            let start = microseconds(input.start)
            text.append(time - last)
            text.append(InputKind(input.input).rawValue)
            text.append(start - time)
            text.append(microseconds(input.end) - start)
            last = time
        }
        return text.text
    }

    /// Encodes time as differences, target.
    private func targets(of log: ReplayLog) -> String {
        var text = VariableLength()
        var last = 0
        for prediction in log.predictions {
            text.append(microseconds(prediction.time) - last)
            text.append(tenths(prediction.target))
            last = microseconds(prediction.time)
        }
        return text.text
    }

    /// Encodes row as differences, start − the last end, length.
    private func slices(of log: ReplayLog) -> String {
        var text = VariableLength()
        var last = (row: 0, end: 0)
        for slice in log.slices {
            let start = microseconds(slice.start)
            let end = microseconds(slice.end)
            text.append(slice.row - last.row)
            text.append(start - last.end)
            text.append(end - start)
            last = (slice.row, end)
        }
        return text.text
    }

    /// Encodes row as differences, asked as differences, wait or −1 if it was never begun, length,
    /// outcome · 2 + useful, 0 or 1 and the fetch's start − asked and length.
    private func bars(of run: RunAccount) -> String {
        var text = VariableLength()
        var last = (row: 0, asked: 0)
        for bar in run.bars {
            let asked = microseconds(bar.asked)
            text.append(bar.row - last.row)
            text.append(asked - last.asked)
            text.append(bar.begun.map { microseconds($0) - asked } ?? -1)
            text.append(microseconds(bar.end) - asked)
            text.append(bar.outcome.rawValue * 2 + (bar.isUseful ? 1 : 0))
            text.append(bar.fetch == nil ? 0 : 1)
            if let fetch = bar.fetch {
                text.append(microseconds(fetch.lowerBound) - asked)
                text.append(microseconds(fetch.upperBound) - microseconds(fetch.lowerBound))
            }
            last = (bar.row, asked)
        }
        return text.text
    }

    /// Encodes row and first frame's place as differences, count of frames.
    private func blanks(of run: RunAccount) -> String {
        var text = VariableLength()
        var last = (row: 0, first: 0)
        for span in run.blanks {
            text.append(span.row - last.row)
            text.append(span.first - last.first)
            text.append(span.count)
            last = (span.row, span.first)
        }
        return text.text
    }

    /// Encodes cause, its time, rest, complete or −1.
    private func landings(of run: RunAccount) -> String {
        VariableLength.text(
            of: run.landings.flatMap { landing in
                [
                    landing.cause.rawValue, microseconds(landing.origin),
                    microseconds(landing.rest), landing.complete.map(microseconds) ?? -1,
                ]
            })
    }

    /// Encodes row as differences, count of lines; for each kind · 4 + 2 if it has facts + 1 if it
    /// has a reason, time as differences within the row, and the numbers of these texts.
    private mutating func stories(of run: RunAccount) -> String {
        var text = VariableLength()
        var lastRow = 0
        let kinds = Dictionary(
            uniqueKeysWithValues: StoryLine.Kind.allCases.enumerated().map { ($1, $0) })
        for (row, lines) in run.stories {
            text.append(row - lastRow)
            text.append(lines.count)
            lastRow = row
            var last = 0
            for line in lines {
                let words = [line.facts, line.reason ?? ""]
                let flags = (words[0].isEmpty ? 0 : 2) + (words[1].isEmpty ? 0 : 1)
                text.append(kinds[line.kind, default: 0] * 4 + flags)
                text.append(microseconds(line.time) - last)
                last = microseconds(line.time)
                for word in words where !word.isEmpty { text.append(texts.number(of: word)) }
            }
        }
        return text.text
    }
}
