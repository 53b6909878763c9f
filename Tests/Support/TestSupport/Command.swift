public import Foundation

/// A program of this package, run as a person would run it.
public struct Command {
    /// The exit status, or minus the signal that ended it.
    public let status: Int32
    /// What it printed.
    public let output: String
    /// What it printed as errors.
    public let errors: String

    /// Runs a built program to its end, after a shell has set `limits` if there are any.
    public init(_ program: String, _ arguments: [String], limits: String? = nil) throws {
        let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let path = built.appending(path: program).path
        let command =
            limits.map { ["/bin/sh", "-c", "\($0); exec \"$0\" \"$@\"", path] } ?? [path]
        try self.init(command + arguments)
    }

    /// Runs any program, by its path, to its end.
    public init(_ command: [String]) throws {
        let folder = try Folder()
        let output = try folder.write("out", "")
        let errors = try folder.write("err", "")
        status = try Command.run(command, output: output, errors: errors)
        self.output = try Command.text(of: URL(filePath: output))
        self.errors = try Command.text(of: URL(filePath: errors))
    }

    /// Starts a program and waits for it: the exit status, or minus the signal that ended it.
    ///
    /// Foundation's `Process` waits in a run loop, and has been seen to miss an exit.
    private static func run(
        _ command: [String], output: String, errors: String
    ) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process = pid_t()
        let code = unsafe posix_spawn(&process, command[0], &actions, nil, &words, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    private static func text(of file: URL) throws -> String {
        let data = try FileHandle(forReadingFrom: file).readToEnd()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// The project's folder.
    public static let project = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// A shipped trace.
    public static func trace(_ name: String) -> String {
        project.appending(path: "Demo/traces/chromium-\(name).jsonl").path
    }

    /// Whether a sanitizer looks on: then memory isn't what it otherwise is.
    public static let isSanitized: Bool = {
        #if THREAD_SANITIZER
        true
        #else
        unsafe dlsym(nil, "__asan_init") != nil
        #endif
    }()

    /// The folder of the shipped pictures.
    public static let photos = project.appending(path: "Demo/photos").path
}

/// A folder for a test, gone with it.
public final class Folder {
    /// Where it is.
    public let url: URL

    /// An empty folder of a new name.
    public init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "lull-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Its path.
    public var path: String { url.path }

    /// Writes a file, and returns its path.
    @discardableResult
    public func write(_ name: String, _ data: Data) throws -> String {
        let file = url.appending(path: name)
        try data.write(to: file)
        return file.path
    }

    /// The same, of text.
    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String {
        try write(name, Data(text.utf8))
    }
}
