import Foundation
import Testing

/// What the README and doc comments show.
struct ExampleTests {
    private static let pages = ["README.md"] + Project.files(in: ["Demo"], ending: ".md")
    private static let sources = Project.files(
        in: ["Sources", "Demo", "Tests/TestSupport"], ending: ".swift")

    /// What SwiftPM calls the package for `package` declarations: as its folder is called.
    private static var packageName: String {
        String(
            Project.folder.lastPathComponent.lowercased().map {
                $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_"
            })
    }

    @Test func `every example in Swift compiles`() throws {
        let context = "Tests/SourceTests/Context.swift"
        let known = try Project.lines(of: context)
        let examples = try (Self.pages + Self.sources).flatMap(Example.all(in:))
            .filter { $0.language == "swift" }
        #expect(examples.count > 100)
        let imports = known.filter { $0.hasPrefix("import ") || $0.hasPrefix("@testable") }
        let text = Set(imports + examples.flatMap(\.imports)).sorted() + [""]
        let functions = examples.enumerated().map {
            $1.function(number: $0, in: known.joined(separator: "\n"))
        }
        let file = FileManager.default.temporaryDirectory
            .appending(path: "lull-examples-\(UInt64.random(in: 0 ... .max)).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try (text.joined(separator: "\n") + "\n" + functions.joined()).write(
            to: file, atomically: false, encoding: .utf8)
        let (built, folder) = (Project.built.path, Project.folder.path)
        let output = try Project.run(
            """
            cd '\(folder)' || exit
            for map in Sources/*/module.modulemap Demo/gallery/*/module.modulemap \
                '\(built)'/C*.build/module.modulemap; do
                set -- "$@" -Xcc -fmodule-map-file="$(realpath "$map")"
            done
            resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\\(.*\\)".*/\\1/p')
            swiftc -emit-sil -wmo -o /dev/null -module-name Examples -swift-version 6 \
                -enable-upcoming-feature NonisolatedNonsendingByDefault \
                -suppress-warnings -diagnostic-style llvm -package-name '\(Self.packageName)' \
                -module-cache-path '\(built)/ModuleCache' -I '\(built)/Modules' \
                -I "$resources/pm/ManifestAPI" -package-description-version 6.3 \
                "$@" \(context) '\(file.path)' && echo compiled
            """)
        for line in output.split(separator: "\n") where line.contains(": error: ") {
            Issue.record("\(line.replacing("\(folder)/", with: ""))")
        }
        #expect(output == "compiled\n")
    }

    @Test func `every example in C compiles`() throws {
        for example in try Self.pages.flatMap(Example.all(in:)) where example.language == "c" {
            let text = """
                #include "Tests/SourceTests/context.h"
                static int example(void) {
                #line \(example.line) "\(example.file)"
                \(example.code.joined(separator: "\n"))
                return 0;
                }
                """
            let output = try Project.run(
                """
                cd '\(Project.folder.path)' || exit
                printf '%s' '\(text)' | clang -fsyntax-only -ISources/CLull/include -I. -xc - \
                    && echo compiled
                """)
            #expect(output == "compiled\n")
        }
    }

    /// What isn't fenced, or says no language, isn't looked at above.
    @Test func `code in a doc comment is fenced and says its language`() throws {
        for file in Self.sources {
            for example in try Example.all(in: file) {
                #expect(
                    ["swift", "text", "sh"].contains(example.language),
                    "\(file):\(example.line - 1)")
            }
            let lines = try Project.lines(of: file)
            var isOpen = false
            for (number, (line, next)) in zip(1..., zip(lines, lines.dropFirst())) {
                if line.contains("/// ```") { isOpen.toggle() }
                let isIndented = line.hasSuffix("///") && next.contains("///     ")
                #expect(isOpen || !isIndented, "\(file):\(number + 1)")
            }
        }
    }
}
