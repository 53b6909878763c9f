import Foundation
import TestSupport
import Testing

struct ThumbnailCommandTests {
    private static let keys: Set<String> = [
        "result", "reason", "format", "width", "height", "orientation", "oriented_width",
        "oriented_height", "thumbnail_width", "thumbnail_height", "quadrants", "steps",
        "longest_step_ns", "cpu_ns", "peak_rss_growth_bytes",
    ]

    /// What the one line says that a command prints.
    private func object(of command: Command) throws -> [String: Any] {
        #expect(command.output.hasSuffix("\n"))
        #expect(command.output.count { $0 == "\n" } == 1)
        let value = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
        let object = try #require(value as? [String: Any])
        #expect(Self.keys.subtracting(object.keys).isEmpty)
        return object
    }

    private func thumbnail(_ arguments: String..., limits: String? = nil) throws -> Command {
        try Command("scroll-replay", ["thumbnail"] + arguments, limits: limits)
    }

    private static var program: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "scroll-replay").path
    }

    @Test func `a photo is told with all there is to tell`() throws {
        let command = try thumbnail(Command.photos + "/01-dunes-1600x1200.jpg")
        #expect(command.status == 0)
        let object = try object(of: command)
        #expect(object["result"] as? String == "ok")
        #expect(object["reason"] is NSNull)
        #expect(object["format"] as? String == "jpeg")
        #expect(object["width"] as? Int == 1600)
        #expect(object["height"] as? Int == 1200)
        #expect(object["orientation"] as? Int == 1)
        #expect(object["oriented_width"] as? Int == 1600)
        #expect(object["oriented_height"] as? Int == 1200)
        #expect(object["thumbnail_width"] as? Int == 256)
        #expect(object["thumbnail_height"] as? Int == 192)
        let steps = try #require(object["steps"] as? Int)
        let longest = try #require(object["longest_step_ns"] as? Int)
        let cpu = try #require(object["cpu_ns"] as? Int)
        #expect(steps > 10)
        #expect(longest > 0)
        #expect(cpu > 0)
        #expect(try #require(object["peak_rss_growth_bytes"] as? Int) >= 0)
    }

    @Test func `quarters are told over white, in the order of reading`() throws {
        let folder = try Folder()
        let file = try folder.write("q.png", Data(PlainPNG.quarters(64, 40).bytes))
        let object = try object(of: thumbnail(file, "--size", "32"))
        #expect(object["thumbnail_width"] as? Int == 32)
        #expect(object["thumbnail_height"] as? Int == 20)
        // A fifth of (40, 60, 210), and four fifths of white.
        #expect(
            object["quadrants"] as? [[Int]] == [
                [200, 30, 30], [30, 180, 40], [212, 216, 246], [255, 255, 255],
            ])
    }

    @Test func `one pixel is all of its quarters`() throws {
        let folder = try Folder()
        let png = PlainPNG(width: 1, height: 1) { _, _ in [1, 2, 3, 255] }
        let file = try folder.write("dot.png", Data(png.bytes))
        let object = try object(of: thumbnail(file, "--size", "4096"))
        #expect(object["thumbnail_width"] as? Int == 1)
        #expect(object["quadrants"] as? [[Int]] == Array(repeating: [1, 2, 3], count: 4))
    }

    @Test func `what is written holds the thumbnail's pixels`() throws {
        let folder = try Folder()
        let file = try folder.write("q.png", Data(PlainPNG.quarters(64, 40).bytes))
        let files = ["small.png", "small.ppm", "SMALL.PPM"].map { folder.path + "/" + $0 }
        for target in files {
            #expect(try thumbnail(file, "--size", "32", "--output", target).status == 0)
        }
        let first = try object(of: thumbnail(file, "--size", "32"))
        let second = try object(of: thumbnail(files[0], "--size", "32"))
        #expect(first["quadrants"] as? [[Int]] == second["quadrants"] as? [[Int]])
        #expect(second["width"] as? Int == 32)
        #expect(second["height"] as? Int == 20)
        let ppm = [UInt8](try Data(contentsOf: URL(filePath: files[1])))
        let head = Array("P6\n32 20\n255\n".utf8)
        #expect(ppm.starts(with: head))
        #expect(ppm.count == head.count + 3 * 32 * 20)
        #expect(ppm[head.count..<head.count + 3] == [200, 30, 30])
        #expect(ppm.suffix(3) == [255, 255, 255])
        #expect(try Data(contentsOf: URL(filePath: files[2])) == Data(ppm))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["SMALL.PPM", "q.png", "small.png", "small.ppm"])
    }

    private static let noPictures: [String: (bytes: [UInt8], result: String, reason: String)] = [
        "empty": ([], "fail", "empty"),
        "text": (Array("hello, world, this is none".utf8), "unsupported", "unsupported: "),
        "head": (PlainPNG.head(7, 7), "fail", "truncated: "),
        "cut": (Array(PlainPNG.quarters(64, 40).bytes.prefix(400)), "fail", "truncated: "),
        "vast": (PlainPNG.head(60_000, 60_000), "limit", "too large: "),
        "none": (PlainPNG.head(0, 7), "fail", "corrupt: "),
    ]

    @Test(arguments: ["empty", "text", "head", "cut", "vast", "none"])
    func `what gives no picture is 65, and says why`(name: String) throws {
        let (bytes, result, reason) = try #require(Self.noPictures[name])
        let folder = try Folder()
        let command = try thumbnail(folder.write("\(name).png", Data(bytes)))
        #expect(command.status == 65)
        let object = try object(of: command)
        #expect(object["result"] as? String == result)
        #expect(try #require(object["reason"] as? String).hasPrefix(reason))
        #expect(object["quadrants"] is NSNull)
        #expect(object["thumbnail_width"] is NSNull)
    }

    @Test func `a cut picture still has the size that it says`() throws {
        let folder = try Folder()
        let object = try object(
            of: thumbnail(folder.write("cut.png", Data(PlainPNG.head(70, 50)))))
        #expect(object["width"] as? Int == 70)
        #expect(object["height"] as? Int == 50)
        #expect(object["thumbnail_width"] is NSNull)
    }

    @Test func `what can't be opened as a file is 66, and says why`() throws {
        let folder = try Folder()
        let pipe = folder.path + "/pipe.jpg"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        for (file, reason) in [
            ("/nowhere.jpg", "cannot open: "), ("", "cannot open: "),
            (folder.path, "not a regular file"), (pipe, "not a regular file"),
            ("/dev/zero", "not a regular file"),
            (folder.path + "/" + String(repeating: "n", count: 5000), "cannot open: "),
        ] {
            let command = try thumbnail(file)
            #expect(command.status == 66)
            let object = try object(of: command)
            #expect(object["result"] as? String == "fail")
            #expect(try #require(object["reason"] as? String).hasPrefix(reason))
        }
    }

    @Test(arguments: [
        [], ["a", "b"], ["a", "--size", "0"], ["a", "--size", "4097"], ["a", "--size", "-1"],
        ["a", "--size=-1"], ["a", "--size", "big"], ["a", "--size", "1e3"], ["a", "--size", ""],
        ["a", "--size", "99999999999999999999"], ["a", "--output", "a.jpg"],
        ["a", "--output", "png"], ["a", "--output", ".png"], ["a", "--output", ""],
        ["a", "--format", "xml"], ["a", "--sise", "3"],
    ])
    func `wrong options are 64`(arguments: [String]) throws {
        let command = try Command("scroll-replay", ["thumbnail"] + arguments)
        #expect(command.status == 64)
        #expect(command.output.isEmpty)
    }

    @Test(arguments: ["new\nline.png", "quote\"back\\slash.png", "\u{1B}[2J.png", "\u{FFFD}.png"])
    func `a file may have any name`(name: String) throws {
        let folder = try Folder()
        let file = try folder.write(name, Data(PlainPNG.quarters(4, 4).bytes))
        let command = try thumbnail(file)
        #expect(command.status == 0)
        #expect(try object(of: command)["file"] as? String == file)
        let text = try thumbnail(file, "--format", "text")
        #expect(text.status == 0)
        #expect(!text.output.contains("\u{1B}"))
        #expect(text.output.count { $0 == "\n" } == text.output.split(separator: "\n").count)
    }

    @Test func `a name that is no text is a name all the same`() throws {
        let command = try commandOnNameOfNoText(before: "")
        #expect(command.status == 0)
        #expect(try object(of: command)["result"] as? String == "ok")
    }

    @Test func `without a descriptor left a file can't be opened`() throws {
        // Such a file is held open while it's read under its number, which takes two. Nothing of
        // the tests beside this one may be inherited as the one that is left.
        let command = try commandOnNameOfNoText(before: "exec 3>&-; ulimit -n 4;")
        #expect(command.status == 66)
        #expect(try object(of: command)["reason"] as? String == "cannot open: Too many open files")
    }

    private func commandOnNameOfNoText(before: String) throws -> Command {
        let folder = try Folder()
        let file = try folder.write("plain.png", Data(PlainPNG.quarters(4, 4).bytes))
        let script = """
            name=$(printf '%s/\\377\\376.png' "$1"); mv "$2" "$name"
            (\(before) exec "$0" thumbnail "$name"); status=$?; rm "$name"; exit $status
            """
        return try Command(["/bin/sh", "-c", script, Self.program, folder.path, file])
    }

    @Test func `an output that can't be written is 66, and leaves nothing behind`() throws {
        let folder = try Folder()
        let file = try folder.write("q.png", Data(PlainPNG.quarters(64, 40).bytes))
        let kept = try folder.write("kept.png", "as it was")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/folder.png", withIntermediateDirectories: true)
        for target in ["/nowhere/a.png", "/folder.png"].map({ folder.path + $0 }) {
            let command = try thumbnail(file, "--output", target)
            #expect(command.status == 66)
            let object = try object(of: command)
            #expect(object["result"] as? String == "fail")
            #expect(try #require(object["reason"] as? String).hasPrefix(target))
            #expect(object["thumbnail_width"] as? Int == 64)
        }
        // A file that may have no bytes is like a disk that's full.
        #expect(try thumbnail(file, "--output", kept, limits: "ulimit -f 0").status == 66)
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "as it was")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["folder.png", "kept.png", "q.png"])
    }

    @Test func `a reader that goes away changes no status`() throws {
        let folder = try Folder()
        let file = try folder.write("q.png", Data(PlainPNG.quarters(64, 40).bytes))
        let script = """
            { "$0" thumbnail "$1"; echo $? >&2; } | true
            { "$0" thumbnail /nowhere; echo $? >&2; } | true
            "$0" thumbnail "$1" >&-; echo $? >&2
            "$0" thumbnail "$1" > /dev/full; echo $? >&2
            """
        let command = try Command(["/bin/sh", "-c", script, Self.program, file])
        #expect(command.errors == "0\n66\n0\n0\n")
    }
}
