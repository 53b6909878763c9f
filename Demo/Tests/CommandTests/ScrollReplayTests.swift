import Foundation
import TestSupport
import Testing

struct ScrollReplayTests {
    private func json(_ command: Command) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
        return try #require(value as? [String: Any])
    }

    @Test(arguments: [(0, 55), (2, 57)])
    func `the same replay with pictures twice gives the same bytes`(
        lanes: Int, loads: Int
    ) throws {
        let arguments = [
            "run", Command.trace("fling-down-5000"), "--images", Command.photos, "--format", "json",
            "--lanes", "\(lanes)",
        ]
        let first = try Command("scroll-replay", arguments)
        let second = try Command("scroll-replay", arguments)
        #expect(first.status == 0)
        #expect(first.output == second.output)
        let figures = try json(first)
        #expect(figures["lanes"] as? Int == (lanes > 0 ? lanes : nil))
        #expect(figures["loads_finished"] as? Int == loads)
        #expect(figures["frames_late"] as? Int == 0)
        #expect((figures["failures"] as? [Any])?.isEmpty == true)
    }

    @Test(arguments: [
        ["--images", Command.photos, "--hints"], ["--setting", "heavy", "--hints"],
        ["--setting", "heavy", "--kinds"],
    ])
    func `what is known or learned of costs leaves less blank`(_ options: [String]) throws {
        func blank(_ options: [String]) throws -> Int {
            let command = try Command(
                "scroll-replay",
                ["run", Command.trace("scroll-to-top-smooth"), "--policy", "value"] + options
                    + ["--format", "json"])
            return try #require(try json(command)["blank_ns"] as? Int)
        }
        #expect(try 10 * blank(options) < 9 * blank(options.dropLast()))
    }

    @Test func `the members of the JSON are those of the model, in its order`() throws {
        let command = try Command(
            "scroll-replay",
            ["run", Command.trace("wheel-notches"), "--policy", "visible", "--format", "json"])
        let expected =
            "trace policy engine setting seed hz blank_ns blank_moving_ns blank_resting_ns rests settle_never settle_p50_ns settle_p95_ns settle_max_ns loads_started loads_finished loads_failed loads_useful loads_wasted load_cost_ns wasted_cost_ns waste_share frames_shown frames_late frames_dropped hitch_ns hitch_ms_per_s input_delay_p50_ns input_delay_p99_ns input_delay_max_ns queue_longest queue_accepted queue_done queue_failed queue_cancelled queue_dropped"
        let names = command.output.split(separator: "\"").enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        let keys = Set(expected.split(separator: " ").map(String.init))
        #expect(
            names.filter { keys.contains($0) } == expected.split(separator: " ").map(String.init))
        #expect(command.output.contains("\"trace\":\"chromium-wheel-notches\""))
        #expect(command.output.contains("\"waste_share\":0.000000"))
        #expect(command.errors.contains("as recorded beside it: 60 Hz, viewport 800 px"))
    }

    @Test func `what can't be opened, and wrong options, have their own status`() throws {
        let missing = try Command("scroll-replay", ["run", "/nowhere.jsonl", "--format", "json"])
        #expect(missing.status == 66)
        #expect(missing.errors == "scroll-replay: /nowhere.jsonl: No such file or directory\n")
        #expect(missing.output.isEmpty)
        #expect(try Command("scroll-replay", ["run", Command.project.path]).status == 66)
        let trace = Command.trace("wheel-notches")
        #expect(try Command("scroll-replay", ["run", trace, "--images", "/nowhere"]).status == 66)
        for wrong in [
            ["--hz", "0"], ["--engine", "E9"], ["--policy", "magic"], ["--cost", "-1"],
            ["--viewport", "nan"], ["--rows", "0"], ["--columns", "0"], ["--seed", "-1"],
            ["--no-such"], ["--lanes", "65"], ["--lanes", "2", "--clock", "real"],
            ["--memory", "0"], ["--queue-limit", "few"],
            ["--row-heights", "x", "--rows", "7"], ["--model", "none"], ["--format", "xml"],
        ] {
            #expect(try Command("scroll-replay", ["run", trace] + wrong).status == 64, "\(wrong)")
        }
        #expect(try Command("scroll-replay", ["run"]).status == 64)
        let heights = try Folder().write("heights.txt", "80\n-3\n")
        #expect(
            try Command("scroll-replay", ["run", trace, "--row-heights", heights]).status == 66)
    }

    @Test func `output that can't be written isn't a success`() throws {
        let command = try Command(
            "scroll-replay", ["run", Command.trace("wheel-notches")], limits: "exec >/dev/full")
        #expect(command.status == 74)
        #expect(command.errors.contains("could not be written"))
    }

    @Test func `a viewport of too many rows is refused`() throws {
        let command = try Command(
            "scroll-replay",
            [
                "run", Command.trace("wheel-notches"), "--row-height", "0.01", "--rows", "1000000",
                "--viewport", "1000000",
            ])
        #expect(command.status == 64)
    }

    @Test func `a grid has the rows of a list several times, and is scrolled like it`() throws {
        func wanted(_ columns: String) throws -> String {
            try Command(
                "scroll-replay",
                [
                    "run", Command.trace("fling-down-5000"), "--columns", columns, "--policy",
                    "within3", "--setting", "light",
                ]
            ).output
        }
        // 18 rows in view at the end and at the start, and three on either side of the landing.
        #expect(try wanted("1").contains("21 started, 21 finished, 18 useful"))
        #expect(try wanted("4").contains("82 started, 82 finished, 70 useful"))
    }

    @Test func `bad row heights have their line`() throws {
        let folder = try Folder()
        let heights = try folder.write("heights.txt", "80\n-3\n")
        let command = try Command(
            "scroll-replay", ["run", Command.trace("wheel-notches"), "--row-heights", heights])
        #expect(command.status == 65)
        #expect(command.errors.contains("heights.txt:2: found \"-3\", expected a height in px"))
    }

    @Test func `pictures that can't be loaded fail their rows and nothing else`() throws {
        let folder = try Folder()
        let photo = try #require(
            FileManager.default.contents(atPath: Command.photos + "/20-lanterns-800x1000.jpg"))
        let png = try #require(
            FileManager.default.contents(atPath: Command.photos + "/17-paper-hills-1200x900.png"))
        try folder.write("a-good.jpg", photo)
        try folder.write("b-truncated.jpg", photo.prefix(700))
        try folder.write("c-corrupt.png", png.prefix(200) + Data(repeating: 7, count: 500))
        try folder.write("d-empty.jpg", Data())
        try folder.write("e-text.jpg", "<html>")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "f-folder.jpg"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/g-nowhere.png", withDestinationPath: "/nowhere.png")
        var huge = Data([0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0xFF, 0xDC, 0xFF, 0xDC, 3])
        huge.append(contentsOf: [1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
        try folder.write("h-huge.jpg", huge)
        let command = try Command(
            "scroll-replay",
            [
                "run", Command.trace("fling-down-5000"), "--images", folder.path, "--format",
                "json",
                "--policy", "everything",
            ])
        #expect(command.status == 0)
        let figures = try json(command)
        let failures = try #require(figures["failures"] as? [[String: Any]])
        var reasons: [String: String] = [:]
        for failure in failures {
            let file = URL(filePath: failure["file"] as? String ?? "").lastPathComponent
            reasons[file] = failure["reason"] as? String
        }
        #expect(reasons["a-good.jpg"] == nil)
        #expect(reasons.count == 7, "\(reasons)")
        #expect(reasons["b-truncated.jpg"]?.contains("truncated") == true)
        #expect(reasons["d-empty.jpg"]?.contains("empty") == true)
        #expect(reasons["f-folder.jpg"]?.contains("regular file") == true)
        #expect(reasons["g-nowhere.png"]?.contains("No such file") == true)
        #expect(reasons["h-huge.jpg"]?.contains("pixels") == true)
        let failed = try #require(figures["loads_failed"] as? Int)
        #expect(failed > 0 && failed <= failures.count)
        #expect(figures["queue_failed"] as? Int == failed)
        #expect(figures["settle_never"] as? Int == 0)
    }

    @Test func `a process without descriptors says so`() throws {
        let command = try Command(
            "scroll-replay", ["run", Command.trace("wheel-notches")], limits: "ulimit -n 7")
        #expect(command.status == 71)
        #expect(command.errors.contains("Too many open files"))
    }

    @Test func `on the machine's clock everything is loaded and the loop sleeps`() throws {
        let command = try Command(
            "scroll-replay",
            [
                "run", Command.trace("fling-catch-tap"), "--clock", "real", "--setting", "light",
                "--format", "json",
            ])
        #expect(command.status == 0)
        let figures = try json(command)
        #expect(figures["unsettled_at_end"] as? Int == 0)
        #expect(figures["quiet_wakeups"] as? Int == 0)
        #expect(figures["queue_dropped"] as? Int == 0)
    }
}
