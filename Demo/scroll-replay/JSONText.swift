import ReplayTerminal

/// JSON with its members in the order in which they are given.
enum JSONText {
    case null
    case digits(String)
    /// A number with six decimals.
    case six(Double)
    case text(String)
    case list([JSONText])
    case members([(String, JSONText)])

    var rendered: String {
        switch self {
        case .null: "null"
        case .digits(let digits): digits
        case .six(let value): decimals(value, 6)
        case .text(let text): quoted(text)
        case .list(let values): "[" + values.map(\.rendered).joined(separator: ",") + "]"
        case .members(let members):
            "{" + members.map { quoted($0) + ":" + $1.rendered }.joined(separator: ",") + "}"
        }
    }

    /// A whole number of any size.
    static func whole(_ value: some BinaryInteger) -> JSONText {
        .digits(String(value))
    }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// A number with a fixed count of decimals, rounded half away from zero, the same on every machine.
func decimals(_ value: Double, _ count: Int) -> String {
    fixed(value, count)
}
