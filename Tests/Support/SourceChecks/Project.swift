public import Foundation

/// The project's own files.
public enum Project {
    /// The project's folder.
    public static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of what was built.
    public static let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .resolvingSymlinksInPath()

    /// Returns the paths of the files below some folders whose names end so, sorted, from the project's
    /// folder.
    public static func files(in folders: [String], ending suffix: String) -> [String] {
        folders.flatMap { folder in
            let path = self.folder.appending(path: folder).path
            let names = FileManager.default.enumerator(atPath: path)
            return (names?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
        }.filter { $0.hasSuffix(suffix) && !$0.contains("/.build") }.sorted()
    }

    /// Returns the lines of a file.
    public static func lines(of file: String) throws -> [Substring] {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Runs a shell's command in the project's folder to its end, and returns what it wrote.
    public static func run(_ command: String) throws -> String {
        let command = "exec 2>&1 </dev/null\ncd '\(folder.path)' || exit\n\(command)"
        guard let output = unsafe popen(command, "re") else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL)
        }
        defer { unsafe pclose(output) }
        let file = FileHandle(fileDescriptor: unsafe fileno(output))
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}
