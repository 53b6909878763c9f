import ArgumentParser
import Foundation
import GalleryWeb
import TestSupport
import Testing

@testable import gallery

/// The descriptions of the program's options, and its answers to wrong ones.
struct OptionTests {
    private static let folder = Command.project.appending(path: "Demo/gallery")

    private static func file(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The options in the help, with what it says of each.
    static let options: [(name: String, text: String)] = {
        let help = GalleryCommand.helpMessage(columns: 400).replacing("-h, --help", with: "--help")
        return help.matches(of: /(?m)^  --([a-z-]+)(.*(?:\n {8}.*)*)/).map {
            (String($0.1), String($0.2))
        }
    }()

    private static func defaultValue(_ text: String, _ pattern: Regex<(Substring, Substring)>)
        -> String?
    {
        text.firstMatch(of: pattern).map { String($0.1) }
    }

    @Test func `the manual has the options of the help, with their defaults`() throws {
        let manual = try Self.file("gallery.1")
        let entries = manual.components(separatedBy: "\n.It Fl -").dropFirst()
        let names = entries.map { String($0.prefix { !" \n".contains($0) }) }
        #expect(names == Self.options.map(\.name) && names.count > 10)
        for (entry, option) in zip(entries, Self.options) {
            let default_ = Self.defaultValue(option.text, /default: ([^)]+)\)/)
            #expect(Self.defaultValue(entry, /The default is (.+)\./) == default_, "\(option.name)")
            let isList =
                option.text.contains("may be repeated") || option.text.contains("several times")
            #expect(isList == GalleryCommand.lists.contains("--\(option.name)"), "\(option.name)")
            #expect(isList == entry.contains("May be given several times."), "\(option.name)")
        }
    }

    @Test func `the manual is formatted without a warning`() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/groff") else { return }
        let path = Self.folder.appending(path: "gallery.1").path
        let manual = try Command(["/usr/bin/groff", "-mandoc", "-ww", "-z", "-Tutf8", path])
        #expect(manual.status == 0 && manual.errors.isEmpty)
    }

    @Test func `the readme has each option, and the unit's options are some`() throws {
        let readme = try Self.file("README.md")
        for (name, text) in Self.options where !["help", "version"].contains(name) {
            let row = readme.split(separator: "\n").first {
                $0.hasPrefix("| `--") && $0.contains("`--\(name)`")
            }
            #expect(row != nil, "\(name)")
            if let value = Self.defaultValue(text, /default: ([^)]+)\)/), value != "/" {
                #expect(row?.contains(value) == true, "\(name)")
            }
        }
        let start = try #require(
            try Self.file("gallery.service").firstMatch(of: /(?m)^ExecStart=\S+ (.+)$/))
        _ = try GalleryCommand.parse(start.1.split(separator: " ").map(String.init))
    }

    @Test func `the environment has options, and the command line's have precedence`() throws {
        let environment = [
            "GALLERY_BASE_PATH": "/a", "GALLERY_HOST": "a.example b.example",
            "GALLERY_CLIENTS": "7", "GALLERY_CONNECTIONS": "9", "GALLERY_CACHE": "", "HOME": "/",
        ]
        func parsed(_ arguments: String...) throws -> GalleryCommand {
            try GalleryCommand.parse(GalleryCommand.all(arguments, in: environment))
        }
        let command = try parsed("/tmp", "--clients", "8", "--host=c.example")
        #expect(command.folder == "/tmp" && command.basePath == BasePath("/a"))
        #expect(command.clients == 8 && command.hosts == ["c.example"] && command.connections == 9)
        #expect(try parsed("--", "--host").hosts == ["a.example", "b.example"])
        // All options can be given, and no others.
        for (name, _) in Self.options where !["help", "version"].contains(name) {
            let variable = "GALLERY_" + name.uppercased().replacing("-", with: "_")
            #expect(GalleryCommand.all([], in: [variable: "7"]) == ["--\(name)=7"])
        }
        #expect(throws: (any Error).self) {
            try GalleryCommand.parse(GalleryCommand.all(["/"], in: ["GALLERY_HOSTS": "a"]))
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `a shell completes each option`(shell: String)
        throws
    {
        let script = try Command("gallery", ["--generate-completion-script", shell])
        #expect(script.status == 0)
        for (name, _) in Self.options { #expect(script.output.contains(name), "\(name)") }
    }

    @Test func `the version is told`() throws {
        let version = try Command("gallery", ["--version"])
        #expect(version.status == 0)
        #expect(version.output == GalleryCommand.configuration.version + "\n")
    }

    @Test(
        arguments: [
            (["--nothing"], 64), ([], 64), (["--clients", "0", "."], 64), (["/nowhere"], 66),
            (["/dev/null"], 66), ([".", "--listen", "192.0.2.1:80"], 69),
            ([".", "--listen", "a.example:80"], 69),
            ([".", "--listen", "unix:/dev/null"], 69),
            ([".", "--listen", "unix:/proc/g.sock"], 69),
            ([".", "--metrics", "192.0.2.1:80", "--listen", "127.0.0.1:0"], 69),
        ] as [([String], Int32)])
    func `why it doesn't start is told by its status`(arguments: [String], status: Int32) throws {
        let command = try Command("gallery", arguments)
        #expect(command.status == status, "\(command.errors)")
        // A wrong command line is answered with how it is used.
        let lines = command.errors.split(separator: "\n").count
        #expect(status == 64 || lines <= 2, "\(command.errors)")
    }
}
