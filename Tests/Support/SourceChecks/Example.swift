import Foundation

/// A fenced block of code in a page, or in a doc comment.
public struct Example {
    /// The file's path, from the project's folder.
    let file: String
    /// The number of its first line.
    let line: Int
    /// What the fence says of it; empty if nothing.
    public let language: Substring
    let code: [Substring]

    /// All of a file, in order.
    public static func all(in file: String) throws -> [Example] {
        let isPage = file.hasSuffix(".md")
        var examples: [Example] = []
        var open: (line: Int, language: Substring, code: [Substring])?
        for (number, line) in zip(1..., try Project.lines(of: file)) {
            guard let text = isPage ? line : comment(line) else {
                open = nil
                continue
            }
            let fence = text.firstRange(of: "```").map { text[$0.upperBound...] }
            switch (open, fence) {
            case (nil, let language?): open = (number + 1, language, [])
            case (let block?, ""):
                open = nil
                examples.append(
                    Example(
                        file: file, line: block.line, language: block.language, code: block.code))
            case (_?, _): open?.code.append(text)
            case (nil, nil): break
            }
        }
        return examples
    }

    /// The text of a doc comment's line; nil if it's none.
    private static func comment(_ line: Substring) -> Substring? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///") else { return nil }
        return text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
    }

    /// What it imports itself.
    var imports: [Substring] { code.filter { $0.hasPrefix("import ") } }

    /// It as a function, in the enumeration of what its file's examples name if there is one.
    ///
    /// Errors are reported at its own lines. What an ellipsis stands for is left out.
    func function(number: Int, in context: String) -> String {
        let name = file.split(separator: "/").last!.dropLast(file.hasSuffix(".md") ? 3 : 6)
            .filter(\.isLetter)
        let isTask = code.contains { $0.contains(/\bawait\b/) }
        let function = """
            func example\(number)() \(isTask ? "async " : "")throws {
            #sourceLocation(file: "\(file)", line: \(line))
            \(code.map { $0.hasPrefix("import ") ? "" : $0.replacing("…", with: "") }
                .joined(separator: "\n"))
            #sourceLocation()
            }

            """
        return context.contains("enum \(name)Examples {")
            ? "extension \(name)Examples {\nstatic \(function)}\n" : function
    }
}
