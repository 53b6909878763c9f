import Foundation

/// A program of this package, run as a person would run it.
struct Command {
    let status: Int32
    let output: String
    let errors: String

    /// Runs a built program to its end.
    init(_ program: String, _ arguments: [String], limits: String? = nil) throws {
        let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let process = Process()
        let path = built.appending(path: program).path
        if let limits {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "\(limits); exec \"$0\" \"$@\"", path] + arguments
        } else {
            process.executableURL = URL(filePath: path)
            process.arguments = arguments
        }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "lull-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try ["out", "err"].map { name in
            let file = folder.appending(path: name)
            try Data().write(to: file)
            return (url: file, handle: try FileHandle(forWritingTo: file))
        }
        process.standardOutput = files[0].handle
        process.standardError = files[1].handle
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        status = process.terminationReason == .exit ? process.terminationStatus : -1
        output = try Command.text(of: files[0].url)
        errors = try Command.text(of: files[1].url)
    }

    private static func text(of file: URL) throws -> String {
        let data = try FileHandle(forReadingFrom: file).readToEnd()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// The project's folder.
    static let project = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// A shipped trace.
    static func trace(_ name: String) -> String {
        project.appending(path: "Demo/traces/chromium-\(name).jsonl").path
    }

    static let photos = project.appending(path: "Demo/photos").path
}

/// A folder for a test, gone with it.
final class Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "lull-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var path: String { url.path }

    @discardableResult
    func write(_ name: String, _ data: Data) throws -> String {
        let file = url.appending(path: name)
        try data.write(to: file)
        return file.path
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Data(text.utf8))
    }
}
