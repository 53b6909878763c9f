internal import Foundation

extension Example {
    /// Returns what the compiler has against these examples in Swift, and how many there are.
    ///
    /// - Parameters:
    ///   - files: The files that they are in.
    ///   - contexts: The files that declare what they name; their imports are the examples', too.
    ///   - package: The folder of the package whose `package` declarations they may name.
    /// - Returns: The number of examples, and the errors.
    /// - Throws: The file system's error, if a file can't be read.
    public static func errors(
        inSwiftOf files: [String], contexts: [String], package: String
    ) throws -> (count: Int, errors: [String]) {
        let known = try contexts.flatMap(Project.lines(of:))
        let examples = try files.flatMap(all(in:)).filter { $0.language == "swift" }
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
        let built = Project.built.path
        let output = try Project.run(
            """
            for map in Sources/*/*/module.modulemap Demo/*/*/module.modulemap \
                '\(built)'/C*.build/module.modulemap \
                '\(built)'/../../checkouts/*/Sources/*/include/module.modulemap; do
                [ ! -e "$map" ] || set -- "$@" -Xcc -fmodule-map-file="$(realpath "$map")"
            done
            for flag in -ISources/C/CLull/include $(pkg-config --cflags glib-2.0); do
                set -- "$@" -Xcc "$flag"
            done
            resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\\(.*\\)".*/\\1/p')
            swiftc -emit-sil -wmo -o /dev/null -module-name Examples -swift-version 6 \
                -enable-upcoming-feature NonisolatedNonsendingByDefault \
                -suppress-warnings -diagnostic-style llvm -package-name '\(name(of: package))' \
                -module-cache-path '\(built)/ModuleCache' -I '\(built)/Modules' \
                -I "$resources/pm/ManifestAPI" -package-description-version 6.3 \
                "$@" \(contexts.joined(separator: " ")) '\(file.path)' && echo compiled
            """)
        guard output != "compiled\n" else { return (examples.count, []) }
        let errors = output.split(separator: "\n").filter { $0.contains(": error: ") }
        return (
            examples.count,
            errors.map { String($0.replacing("\(Project.folder.path)/", with: "")) } + [output]
        )
    }

    /// Returns what the compiler has against these files' examples in C, for which a header declares
    /// what they name.
    public static func errors(inCOf files: [String], context: String) throws -> [String] {
        try files.flatMap(all(in:)).filter { $0.language == "c" }.compactMap { example in
            let text = """
                #include "\(context)"
                static int example(void) {
                #line \(example.line) "\(example.file)"
                \(example.code.joined(separator: "\n"))
                return 0;
                }
                """
            let output = try Project.run(
                """
                printf '%s' '\(text)' | clang -fsyntax-only -ISources/C/CLull/include -ISources/C/CLullPictures/include -I. -xc - \
                    && echo compiled
                """)
            return output == "compiled\n" ? nil : output
        }
    }

    /// Returns the places of code in doc comments that isn't fenced, or says no language.
    public static func unfenced(in files: [String]) throws -> [String] {
        var places: [String] = []
        for file in files {
            for example in try all(in: file)
            where !["swift", "text", "sh"].contains(example.language) {
                places.append("\(file):\(example.line - 1)")
            }
            let lines = try Project.lines(of: file)
            var isOpen = false
            for (number, (line, next)) in zip(1..., zip(lines, lines.dropFirst())) {
                if line.contains("/// ```") { isOpen.toggle() }
                let isIndented = line.hasSuffix("///") && next.contains("///     ")
                if isIndented && !isOpen { places.append("\(file):\(number + 1)") }
            }
        }
        return places
    }

    /// The name of a package for `package` declarations: as its folder is called.
    private static func name(of package: String) -> String {
        String(
            Project.folder.appending(path: package).lastPathComponent.lowercased().map {
                $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_"
            })
    }
}
