internal import LullTesting

/// A text as it may stand in HTML or XML, in an attribute too, on one line.
///
/// Scalar by scalar: a combining mark after a `<` doesn't hide it. Controls become question marks.
func escaped(_ text: String) -> String {
    var result = ""
    for scalar in printable(text).unicodeScalars {
        switch scalar {
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "&": result += "&amp;"
        case "\"": result += "&quot;"
        case "'": result += "&#39;"
        case "\u{FFFE}", "\u{FFFF}": result += "?"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
