/// Lines in Prometheus's text format, one after the other.
struct ExpositionText {
    private(set) var text = ""

    /// Starts a family.
    mutating func begin(_ family: String, _ kind: MetricKind, help: String?) {
        if let help { text += "# HELP \(family) \(Self.escape(help))\n" }
        text += "# TYPE \(family) \(kind.text)\n"
    }

    /// Appends a value; that of a histogram's bucket has an upper bound.
    mutating func sample(
        _ name: String, _ labels: SeriesLabels, upTo bound: String? = nil, _ value: Double
    ) {
        text += name
        if bound != nil || !labels.text.isEmpty {
            text += "{"
            text += labels.text
            if let bound {
                text += labels.text.isEmpty ? "le=\"" : ",le=\""
                text += bound
                text += "\""
            }
            text += "}"
        }
        text += " "
        text += Self.number(value)
        text += "\n"
    }

    /// Returns a number in the text format; whole numbers have no point.
    static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value), abs(value) < 1e15 { return "\(whole)" }
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return "\(value)"
    }

    private static func escape(_ help: String) -> String {
        var text = ""
        for scalar in help.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
