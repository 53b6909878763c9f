import Foundation

/// A workload's rows as text: contenders downwards; units across, with a table for each variant,
/// or the variants across where there is but one unit.
struct Table {
    let workload: Workload
    let rows: [Row]

    var text: String {
        let units = distinct(rows.map(\.line.unit))
        let variants = distinct(rows.map(\.line.variant))
        var parts = ["\(workload.rawValue)  \(workload.title)"]
        if units.count == 1 {
            parts.append(grid(rows, heading: units[0], column: \.line.variant))
        } else {
            for variant in variants {
                let rows = rows.filter { $0.line.variant == variant }
                parts.append(grid(rows, heading: variant, column: \.line.unit))
            }
        }
        return parts.joined(separator: "\n\n")
    }

    private func grid(_ rows: [Row], heading: String, column: (Row) -> String) -> String {
        let columns = distinct(rows.map(column))
        let contenders = distinct(rows.map(\.line.contender))
        var cells = [[heading] + columns.flatMap { [$0, ""] }]
        for contender in contenders {
            var line = [contender]
            for name in columns {
                let row = rows.first { $0.line.contender == contender && column($0) == name }
                line.append(row.map { number($0.line.value) } ?? "-")
                line.append(row?.ratio.map(ratio) ?? "")
            }
            cells.append(line)
        }
        return aligned(cells)
    }

    /// Four digits, more only before the point.
    private func number(_ value: Double) -> String {
        let magnitude = value == 0 ? 0 : Int(log10(abs(value)).rounded(.down))
        return String(format: "%.\(min(max(3 - magnitude, 0), 4))f", value)
    }

    private func ratio(_ value: Double) -> String {
        "× " + String(format: value < 100 ? "%.2f" : "%.0f", value)
    }

    /// Names to the left, figures to the right.
    private func aligned(_ cells: [[String]]) -> String {
        let widths = cells[0].indices.map { column in cells.map { $0[column].count }.max()! }
        return cells.map { line in
            let padded = line.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - line[column].count)
                return column == 0 ? line[column] + space : space + line[column]
            }
            let text = padded.joined(separator: "  ")
            return String(text.reversed().drop(while: \.isWhitespace).reversed())
        }
        .joined(separator: "\n")
    }

    private func distinct(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
