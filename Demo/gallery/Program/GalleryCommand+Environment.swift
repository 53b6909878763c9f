internal import ArgumentParser
internal import Foundation

/// Options in the environment, such as `GALLERY_BASE_PATH` for `--base-path`.
extension GalleryCommand {
    /// The options whose variables have several values, with blanks between them.
    static let lists: Set = ["--listen", "--host"]

    /// Parses the arguments and the environment of the process, and runs the command.
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        main(all(arguments, in: ProcessInfo.processInfo.environment))
    }

    /// Returns these arguments, and those for the options that the environment has and they don't.
    static func all(_ arguments: [String], in environment: [String: String]) -> [String] {
        let own = arguments.prefix { $0 != "--" }
        var others: [String] = []
        for (variable, text) in environment.sorted(by: { $0.key < $1.key })
        where variable.hasPrefix("GALLERY_") && !text.isEmpty {
            let option = "--" + variable.dropFirst(8).lowercased().replacing("_", with: "-")
            if own.contains(where: { "\($0)=".hasPrefix("\(option)=") }) { continue }
            let values = lists.contains(option) ? text.split(separator: " ") : [text[...]]
            others += values.map { "\(option)=\($0)" }
        }
        return others + arguments
    }
}
