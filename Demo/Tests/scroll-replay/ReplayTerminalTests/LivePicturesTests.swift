import DeferredLoading
import IdleLoop
import ImageLoading
import LullTesting
import ScrollModel
import TerminalPictures
import Testing

@testable import ReplayTerminal

struct LivePicturesTests {
    fileprivate static func picture(_ level: UInt8) -> LivePicture {
        let size = PixelSize(width: 60, height: 40)
        let pixels = (0..<size.width * size.height).flatMap { place -> [UInt8] in
            [level, UInt8(place % 200), 7, 255]
        }
        return LivePicture(Picture(size: size, pixels: pixels))
    }

    /// Rows of 80 px, the first of them cut by the upper edge.
    private func scene(_ pictures: [LivePicture?], offset: Double = 0) -> LiveScene {
        var scene = LiveScene()
        scene.viewportHeight = 400
        scene.offset = offset
        scene.rows = pictures.enumerated().map { index, picture in
            LiveScene.Row(
                row: index, top: Double(80 * index) - offset, height: 80,
                state: picture == nil ? .waiting : .loaded, picture: picture)
        }
        return scene
    }

    private func grid(
        _ scene: LiveScene, _ pictures: LivePictures, depth: InkDepth = .full
    ) -> Grid {
        LiveScreen.grid(of: scene, width: 100, height: 43, depth: depth, pictures: pictures)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a picture is encoded once for each size, wherever its row stands`() {
        let made = LivePictures()
        let shown = (0..<5).map { Self.picture(UInt8($0)) }
        for offset in 0..<40 {
            let scene = scene(shown, offset: Double(offset))
            #expect(grid(scene, made) == grid(scene, LivePictures()))
            #expect(made.takeCommands().isEmpty)
        }
        // Rows of 80 px are 15 or 16 half blocks high, as their edges are rounded.
        #expect(made.encodings <= 2 * shown.count)
    }

    @Test func `only rows whose state changed are written`() {
        let made = LivePictures()
        let first = Self.picture(1)
        let before = grid(scene([first, nil, nil]), made)
        let after = grid(scene([first, nil, Self.picture(2)]), made)
        let changes = after.changes(from: before, in: .full)
        let lines = changes.split(separator: "\u{1B}[").compactMap { part -> Int? in
            guard let end = part.firstIndex(of: "H"), part[..<end].contains(";") else { return nil }
            return Int(part[..<end].prefix { $0 != ";" })
        }
        // The viewport begins on the second line; the third row on its seventeenth.
        #expect(!lines.isEmpty)
        #expect(lines.filter { $0 > 5 && $0 < 18 }.isEmpty)
        #expect(lines.contains { (18...25).contains($0) })
        #expect(
            after.changes(from: grid(scene([first, nil, Self.picture(2)]), made), in: .full)
                .isEmpty)
    }

    @Test func `a first picture is shown, and told from the last`() {
        var scene = scene([Self.picture(200)])
        scene.rows[0].state = .refined(.milliseconds(1.5))
        let drawn = grid(scene, LivePictures())
        #expect(drawn.lines.contains { $0.contains("0 ◐ preview 1.5 ms") })
        #expect(drawn[0, 2].ink?.red == 200 || drawn[0, 2].ground?.red == 200)
        // Without colours what isn't there yet is told by dots, as ever.
        let plain = grid(scene, LivePictures(), depth: .none)
        #expect(plain.lines.contains { $0.hasPrefix("···") })
    }

    @Test func `without pictures a row has its own colour`() {
        let scene = scene([Self.picture(200)])
        let drawn = grid(scene, LivePictures(.none))
        #expect(drawn == grid(self.scene([Self.picture(3)]), LivePictures(.none)))
        #expect(drawn != grid(scene, LivePictures()))
    }

    // MARK: - Kitty

    @Test func `kitty gets a picture once, and placeholders wherever its row stands`() {
        let made = LivePictures(.kitty, firstID: 0x01_02_01)
        let shown = [Self.picture(1)]
        var sent = 0
        for offset in 0..<60 {
            let drawn = grid(scene(shown, offset: Double(offset)), made)
            let commands = text(made.takeCommands())
            if !commands.isEmpty { sent += 1 }
            #expect(commands.isEmpty || commands.hasPrefix("\u{1B}_Ga=T,f=24,"))
            let cell = drawn[0, 1]
            #expect(cell.ink == Ink(1, 2, 1))
            // Rows that are above the viewport are left out: 16 half blocks are 80 px.
            let hidden = (offset + 5) / 10
            let expected = KittyPlaceholder.character(row: hidden, column: 0, of: 0x01_02_01)
            let isOdd = Int((Double(-offset) * 80 / 400).rounded()) % 2 != 0
            if !isOdd { #expect(cell.character == expected, "at \(offset)") }
        }
        #expect(sent == 1)
        #expect(made.encodings == 1)
    }

    @Test func `without all colours there are no placeholders`() {
        let made = LivePictures(.kitty)
        let drawn = grid(scene([Self.picture(1)]), made, depth: .indexed)
        #expect(!drawn.lines.joined().unicodeScalars.contains("\u{10EEEE}"))
        #expect(made.takeCommands().isEmpty)
    }

    @Test func `only so much is sent before a frame, and half blocks stand in`() {
        let made = LivePictures(.kitty, bytesPerFrame: 1)
        let scene = scene((0..<5).map { Self.picture(UInt8($0)) })
        for count in 1...5 {
            let drawn = grid(scene, made)
            let rows = (0..<5).filter { row in
                drawn[0, 2 + 8 * row].character.unicodeScalars.first == "\u{10EEEE}"
            }
            #expect(rows == Array(0..<count))
            #expect(text(made.takeCommands()).components(ofCommand: "a=T").count == 1)
            #expect(made.isBehind == (count < 5))
        }
        _ = grid(scene, made)
        #expect(made.takeCommands().isEmpty)
    }

    @Test func `what left the screen longest ago is forgotten, here and there`() {
        let made = LivePictures(.kitty, capacity: 2)
        let shown = (0..<4).map { Self.picture(UInt8($0)) }
        for index in 0..<3 {
            _ = grid(scene([shown[index]]), made)
            let commands = text(made.takeCommands())
            #expect(commands.components(ofCommand: "a=d") == (index == 2 ? ["i=1"] : []))
        }
        // All that are on screen stay, be they more than are kept.
        _ = grid(scene(shown.map { $0 }), made)
        #expect(text(made.takeCommands()).components(ofCommand: "a=d").isEmpty)
        _ = grid(scene(shown.map { $0 }), made)
        #expect(made.takeCommands().isEmpty)
    }

    @Test func `all that was sent is taken back`() {
        let made = LivePictures(.kitty)
        let scene = scene((0..<3).map { Self.picture(UInt8($0)) })
        _ = grid(scene, made)
        _ = made.takeCommands()
        made.forgetSent()
        #expect(
            text(made.takeCommands()).components(ofCommand: "a=d").sorted() == [
                "i=1", "i=2", "i=3",
            ])
        _ = grid(scene, made)
        #expect(text(made.takeCommands()).components(ofCommand: "a=T").count == 3)
        made.method = .blocks
        #expect(text(made.takeCommands()).components(ofCommand: "a=d").count == 3)
    }

    @Test func `numbers never run out, however many pictures there are`() {
        let made = LivePictures(.kitty)
        var alive: Set<String> = []
        for level in 0..<600 {
            _ = grid(scene([Self.picture(UInt8(level % 256))]), made)
            let commands = text(made.takeCommands())
            for id in commands.components(ofCommand: "a=d") { alive.remove(id) }
            for id in commands.components(ofCommand: "a=T") {
                #expect(alive.insert(id).inserted)
            }
        }
        #expect(alive.count == 250)
    }

    // MARK: - From a replay

    private struct Previewed: RowWork {
        func begin(row: Int) -> any RowLoad { PreviewedLoad() }
    }

    private final class PreviewedLoad: RowLoad {
        private let work = TimedLoad(
            cost: .milliseconds(40), outcome: .success(LivePicturesTests.picture(2)))
        private var preview: LivePicture? = LivePicturesTests.picture(1)

        func step(until end: Instant, on clock: LoopClock) throws -> (any Sendable)? {
            try work.step(until: end, on: clock)
        }

        func takePreview() -> (any Sendable)? {
            defer { preview = nil }
            return preview
        }
    }

    @Test func `a row shows what there is of its picture, then all of it`() throws {
        var options = ReplayOptions()
        options.isLogged = true
        options.isWarm = false
        let list = Viewport(rows: try RowHeights(count: 500, height: 80), height: 800)
        let replay = try Replay(
            of: ChartTests.trace, in: list, policy: .visible, work: Previewed(),
            options: options)
        try replay.start()
        var levels: Set<UInt8> = []
        var states: Set<String> = []
        for time in stride(from: 0, to: replay.end.nanoseconds, by: 5_000_000) {
            let time = Instant(nanoseconds: time)
            try replay.advance(to: time)
            var scene = LiveScene()
            scene.update(from: replay, at: time) { $0 as? LivePicture }
            for row in scene.rows {
                guard let level = row.picture?.picture.pixels[0] else { continue }
                levels.insert(level)
                #expect((row.state == .loaded) == (level == 2))
                states.insert(row.state.mark)
            }
        }
        #expect(levels == [1, 2])
        #expect(states.isSuperset(of: ["◐", "✓"]))
    }
}

extension String {
    /// The numbers of pictures in all commands with an action.
    fileprivate func components(ofCommand action: String) -> [String] {
        split(separator: "\u{1B}_G").filter { $0.hasPrefix(action) }.compactMap { command in
            command.prefix { $0 != "\u{1B}" && $0 != ";" }.split(separator: ",")
                .first { $0.hasPrefix("i=") }.map { String($0) }
        }
    }
}
