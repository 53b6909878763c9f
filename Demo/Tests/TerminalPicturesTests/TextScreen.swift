/// The picture that a terminal shows for lines of spaces and half blocks: two pixels to a cell.
///
/// It knows `SGR` with 24-bit colours, 0, 39 and 49, and nothing else.
struct TextScreen {
    /// A colour as it was said: `2;r;g;b`; empty for the terminal's own.
    typealias Said = [Int]

    /// The colours of pixels, row by row; each line of text makes two rows.
    private(set) var rows: [[Said]] = []
    /// Whether each line ended with the terminal's own colours.
    private(set) var isReset = true

    init(_ lines: [String]) throws {
        for line in lines { try show(line) }
    }

    struct Unknown: Error {
        let text: String
    }

    private mutating func show(_ line: String) throws {
        var (ink, ground): (Said, Said) = ([], [])
        var (upper, lower): ([Said], [Said]) = ([], [])
        var rest = line.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case " ":
                upper.append(ground)
                lower.append(ground)
            case "\u{2580}":
                upper.append(ink)
                lower.append(ground)
            case "\u{1B}" where rest.popFirst() == "[":
                guard let end = rest.firstIndex(of: "m") else { throw Unknown(text: line) }
                var codes = rest[..<end].split(separator: ";").compactMap { Int(String($0)) }[...]
                rest = rest[rest.index(after: end)...]
                while let code = codes.popFirst() {
                    switch code {
                    case 0: (ink, ground) = ([], [])
                    case 39: ink = []
                    case 49: ground = []
                    case 38, 48:
                        let color = Array(codes.prefix(4))
                        codes = codes.dropFirst(color.count)
                        if code == 38 { ink = color } else { ground = color }
                    default: throw Unknown(text: line)
                    }
                }
            default: throw Unknown(text: line)
            }
        }
        rows += [upper, lower]
        isReset = isReset && ink.isEmpty && ground.isEmpty
    }
}
