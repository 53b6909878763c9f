internal import LullTesting
internal import ReplayText

/// Returns a text escaped for HTML or XML, also in an attribute, on one line.
///
/// Scalars are escaped one by one: a combining mark after a `<` doesn't hide it. Control characters
/// become question marks.
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
