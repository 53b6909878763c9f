import ArgumentParser
import Foundation
import ReplayText

/// Prints a text and a line break; throws an `ExitCode` of 74 if it can't be written.
func emit(_ text: String) throws {
    do {
        try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
        say("scroll-replay: the output could not be written")
        throw ExitCode(74)
    }
}

/// Prints a line to standard error.
func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((printable(text) + "\n").utf8))
}
