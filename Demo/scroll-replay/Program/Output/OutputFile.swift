import ArgumentParser
import Foundation

/// A file that is replaced as a whole: until all is written, the old content stays.
struct OutputFile {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Returns the same file with a number before its extension.
    func numbered(_ number: Int) -> OutputFile {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            return OutputFile("\(path)-\(number)")
        }
        return OutputFile("\(path[..<dot])-\(number)\(path[dot...])")
    }

    /// Writes a text to a temporary file and renames it.
    ///
    /// A file that isn't regular, such as a terminal or a pipe, is written directly. Throws an
    /// `ExitCode` of 73 if the file can't be created, of 74 if it can't be written.
    func write(_ text: String) throws {
        let data = Data(text.utf8)
        if isSpecial {
            guard let handle = FileHandle(forWritingAtPath: path) else { throw failed(73) }
            do { try handle.write(contentsOf: data) } catch { throw failed(74) }
            return
        }
        let place = URL(filePath: path).resolvingSymlinksInPath().path
        let beside = "\(place).part-\(ProcessInfo.processInfo.processIdentifier)"
        guard FileManager.default.createFile(atPath: beside, contents: nil),
            let handle = FileHandle(forWritingAtPath: beside)
        else { throw failed(73) }
        do {
            try handle.write(contentsOf: data)
            try handle.close()
        } catch {
            try? FileManager.default.removeItem(atPath: beside)
            throw failed(74)
        }
        guard unsafe rename(beside, place) == 0 else {
            try? FileManager.default.removeItem(atPath: beside)
            throw failed(73)
        }
    }

    /// Whether the path leads to a file that isn't regular, following links.
    private var isSpecial: Bool {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return false }
        return facts.st_mode & S_IFMT != S_IFREG
    }

    private func failed(_ status: Int32) -> ExitCode {
        say("scroll-replay: \(path): can't be \(status == 73 ? "created" : "written")")
        return ExitCode(status)
    }
}
