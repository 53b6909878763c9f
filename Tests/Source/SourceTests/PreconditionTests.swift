import Foundation
import SourceChecks
import TestSupport
import Testing

/// Preconditions say what was wrong, in release builds too, and are documented where they are met.
struct PreconditionTests {
    /// The files of the library in Swift that have preconditions, with their lines.
    private func files() throws -> [(path: String, lines: [Substring])] {
        let sources = Command.project.appending(path: "Sources").path
        let paths = try #require(FileManager.default.subpaths(atPath: sources))
        return try paths.filter { $0.hasSuffix(".swift") && !$0.hasSuffix("/Preconditions.swift") }
            .compactMap { path in
                let text = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
                guard text.contains(/\bprecondition(Failure)?\(/) else { return nil }
                return (path, text.split(separator: "\n", omittingEmptySubsequences: false))
            }
    }

    @Test func `each file with a precondition has those that say why in release builds`() throws {
        for file in try files() {
            #expect(
                file.lines.contains { $0.hasSuffix("import LullLibC") }, "\(file.path)")
        }
    }

    /// A public function whose own body has a precondition says so.
    @Test func `each public function that traps documents it`() throws {
        // These model motion and rows, whose arguments are looked at as they are.
        for file in try files() where !file.path.hasPrefix("Core/ScrollModel") {
            var documentation: [Substring] = []
            var (declaration, isDocumented): (Substring, Bool) = ("", true)
            for line in file.lines {
                let text = line.drop { $0 == " " }
                if text.hasPrefix("///") {
                    documentation.append(text)
                } else if text.contains(/^[^\/"]*\b(func|init|var|subscript)\b.*[({]/),
                    line.prefix(while: { $0 == " " }).count <= 4
                {
                    declaration = text
                    isDocumented =
                        !text.hasPrefix("public") || text.contains("checkInvariants")
                        || documentation.contains { $0.contains("Traps") }
                    documentation = []
                } else if text.contains(/\bprecondition\(/) {
                    #expect(isDocumented, "\(file.path): \(declaration)")
                } else if !text.hasPrefix("@") {
                    documentation = []
                }
            }
        }
    }
}
