/// Makes names legal: in Prometheus's format they're of ASCII's letters, digits and `_`.
enum LegalName {
    /// A family's name, which may have colons too.
    static func ofMetric(_ text: String) -> String {
        legal(text) { $0 == ":" }
    }

    /// A label's name, which doesn't begin with `__`, as those of Prometheus's own do, and isn't the
    /// one that parts a histogram's buckets.
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
