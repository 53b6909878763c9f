import Foundation

/// A workload's rows as text: contenders downwards; units across, with a table for each variant,
/// or the variants across where there is but one unit.
///
/// Where there is but one contender, and there are units, the variants are downwards.
struct Table {
    let workload: Workload
    let rows: [Row]

    var text: String {
        let units = distinct(rows.map(\.line.unit))
        let variants = distinct(rows.map(\.line.variant))
        let contenders = distinct(rows.map(\.line.contender))
        var parts = ["\(workload.rawValue)  \(workload.title)"]
        if units.count == 1 {
            parts.append(grid(rows, heading: units[0], column: \.line.variant))
        } else if contenders.count == 1 {
            parts.append(
                grid(rows, heading: contenders[0], line: \.line.variant, column: \.line.unit))
        } else {
            for variant in variants {
                let rows = rows.filter { $0.line.variant == variant }
                parts.append(grid(rows, heading: variant, column: \.line.unit))
            }
        }
        let findings = Bound.all.flatMap { $0.findings(in: rows) }
        if !findings.isEmpty { parts.append(findings.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    private func grid(
        _ rows: [Row], heading: String, line: (Row) -> String = \.line.contender,
        column: (Row) -> String
    ) -> String {
        let columns = distinct(rows.map(column))
        var cells = [[heading] + columns.flatMap { [$0, ""] }]
        for lineName in distinct(rows.map(line)) {
            var cellsOfLine = [lineName]
            for name in columns {
                let row = rows.first { line($0) == lineName && column($0) == name }
                cellsOfLine.append(row.map { Self.number($0.line.value) } ?? "-")
                cellsOfLine.append(row?.ratio.map(ratio) ?? "")
            }
            cells.append(cellsOfLine)
        }
        return aligned(cells)
    }

    /// Four digits, more only before the point.
    static func number(_ value: Double) -> String {
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
