import ArgumentParser
import Foundation
import ReplayText

/// The output of a command, a file or standard output, buffered.
struct Output: ~Copyable {
    private let file: FileHandle
    private var text = ""

    /// Opens a file for writing, or standard output.
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

    /// Appends a text to the buffer, which is written when it is full.
    mutating func write(_ text: String) throws {
        self.text += text
        if self.text.utf8.count > 1 << 16 { try flush() }
    }

    /// Writes the content of the buffer.
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

/// Prints a text and a line break; throws an `ExitCode` of 74 if it can't be written.
func emit(_ text: String) throws {
    var output = try Output(nil)
    try output.write(text + "\n")
    try output.flush()
}

/// Prints a line to standard error.
func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((printable(text) + "\n").utf8))
}
