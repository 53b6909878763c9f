/// The labels of one series, as they are written between braces: sorted, escaped, with unique
/// names.
struct SeriesLabels: Hashable {
    let text: String

    /// Creates the labels of dimensions in any order.
    ///
    /// Of several values for one name the first is used. An empty value counts as none.
    init(_ dimensions: [(String, String)], longest: Int) {
        var values: [String: String] = [:]
        for (name, value) in dimensions {
            let name = LegalName.ofLabel(name)
            if values[name] == nil { values[name] = value }
        }
        text =
            values.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\"\(Self.escape($0.value, longest: longest))\"" }
            .joined(separator: ",")
    }

    private static func escape(_ value: String, longest: Int) -> String {
        var text = String.UnicodeScalarView()
        for scalar in value.unicodeScalars.prefix(longest) {
            switch scalar {
            case "\n": text.append(contentsOf: "\\n".unicodeScalars)
            case "\\", "\"":
                text.append("\\")
                text.append(scalar)
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
