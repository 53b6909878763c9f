import ArgumentParser
import Foundation

/// The output of a command: a file, or standard output; in pieces of some size.
struct Output: ~Copyable {
    private let file: FileHandle
    private var text = ""

    /// Opens a file for what will be written, or standard output.
    init(_ path: String?) throws {
        guard let path else {
            file = .standardOutput
            return
        }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else {
            say("scroll-replay: \(path): can't be written")
            throw ExitCode(73)
        }
        self.file = file
    }

    /// Writes a text, in time.
    mutating func write(_ text: String) throws {
        self.text += text
        if self.text.utf8.count > 1 << 16 { try flush() }
    }

    /// Writes what has not been written yet.
    mutating func flush() throws {
        do {
            try file.write(contentsOf: Data(text.utf8))
            text = ""
        } catch {
            say("scroll-replay: the output could not be written")
            throw ExitCode(74)
        }
    }
}
