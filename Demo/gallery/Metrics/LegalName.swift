/// A conversion to names that Prometheus's format allows: of ASCII letters, digits and `_`.
enum LegalName {
    /// Returns the name of a family, which may also have colons.
    static func ofMetric(_ text: String) -> String {
        legal(text) { $0 == ":" }
    }

    /// Returns the name of a label, which doesn't begin with `__` (reserved by Prometheus), and
    /// isn't that of a histogram's buckets.
    static func ofLabel(_ text: String) -> String {
        var name = legal(text) { _ in false }
        while name.hasPrefix("__") { name.removeFirst() }
        return name == "le" ? "exported_le" : name
    }

    private static func legal(_ text: String, isLegalToo: (Unicode.Scalar) -> Bool) -> String {
        var name = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": name.append(scalar)
            case "0"..."9":
                if name.isEmpty { name.append("_") }
                name.append(scalar)
            default: name.append(isLegalToo(scalar) ? scalar : "_")
            }
        }
        return name.isEmpty ? "_" : String(name)
    }
}
