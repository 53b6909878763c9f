import Foundation
import TestSupport
import Testing

struct PictureCommandTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func `a run is written as a page and a trace, twice the same`() throws {
        let folder = try Folder()
        var texts: [[String]] = []
        for _ in 0..<2 {
            let files = ["page.html", "trace.json"].map { folder.path + "/" + $0 }
            let command = try Command(
                "scroll-replay",
                [
                    "run", Command.trace("fling-down-1600"), "--report", files[0],
                    "--trace-out", files[1],
                ])
            #expect(command.status == 0)
            #expect(command.output.contains("row·s"))
            texts.append(try files.map(text))
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0][0].hasPrefix("<!doctype html>"))
        #expect(texts[0][0].contains("scroll-replay run"))
        #expect(texts[0][1].hasPrefix("{\"traceEvents\""))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/").sorted()
                == ["page.html", "trace.json"])
    }

    @Test func `a file that can't be created is 73, and one that can't be written 74`() throws {
        let folder = try Folder()
        for (path, status) in [
            (folder.path + "/no/such/page.html", Int32(73)), (folder.path + "/", 73),
            ("/dev/full", 74),
        ] {
            for option in ["--report", "--trace-out"] {
                let command = try Command(
                    "scroll-replay", ["run", Command.trace("fling-down-1600"), option, path])
                #expect(command.status == status, "\(option) \(path)")
                #expect(command.errors.contains("can't be"))
            }
        }
    }
}
