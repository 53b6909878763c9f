/// Returns a text on one line without control characters, which a file's name or content may hold.
package func printable(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: "?"
                default: scalar
                }
            }))
}

/// Returns the start of some bytes in quotation marks, safe to print on one line.
package func quoted(_ bytes: [UInt8]) -> String {
    let text = printable(String(decoding: bytes.prefix(40), as: UTF8.self))
    return bytes.count > 40 ? "\"\(text)…\"" : "\"\(text)\""
}
