import ImageLoading
import TerminalPictures
import TestSupport
import Testing

struct HalfBlocksTests {
    @Test func `two pixels make a cell, and a colour is said when it changes`() {
        let picture = Picture.rows([
            [(1, 2, 3), (1, 2, 3), (9, 9, 9), (1, 2, 3)],
            [(4, 5, 6), (4, 5, 6), (9, 9, 9), (9, 9, 9)],
        ])
        #expect(
            HalfBlocks(picture).lines(in: .full) == [
                "\u{1B}[38;2;1;2;3;48;2;4;5;6m▀▀\u{1B}[48;2;9;9;9m ▀\u{1B}[0m"
            ])
    }

    @Test func `below an odd count of rows is the terminal's own ground`() {
        let picture = Picture.rows([[(1, 2, 3)], [(1, 2, 3)], [(4, 5, 6)]])
        let blocks = HalfBlocks(picture)
        #expect(blocks.cells == CellSize(columns: 1, lines: 2))
        #expect(
            blocks.lines(in: .full) == [
                "\u{1B}[48;2;1;2;3m \u{1B}[0m", "\u{1B}[38;2;4;5;6m▀\u{1B}[0m",
            ])
    }

    @Test func `without colours characters are as light as the picture`() {
        let (dark, grey, light) = (
            (UInt8(0), UInt8(0), UInt8(0)), (UInt8(128), UInt8(128), UInt8(128)),
            (UInt8(255), UInt8(255), UInt8(255))
        )
        let blocks = HalfBlocks(.rows([[dark, grey, light, dark], [dark, grey, light, light]]))
        #expect(blocks.lines(in: .shades) == [" ▒█▒"])
        #expect(blocks.lines(in: .ascii) == [" +@="])
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a terminal shows the very pixels`(seed: UInt64) throws {
        var numbers = SplitMix64(seed: seed)
        let picture = Picture.random(.random(upTo: 11, using: &numbers), using: &numbers)
        let ground = TerminalColor(
            .random(in: 0...255, using: &numbers), .random(in: 0...255, using: &numbers), 7)
        let blocks = HalfBlocks(picture, over: ground)
        let bytes = picture.opaqueBytes(over: ground).map { Int($0) }
        let width = picture.size.width
        var expected = (0..<picture.size.height).map { row in
            (0..<width).map { column in
                let place = 3 * (row * width + column)
                return [2, bytes[place], bytes[place + 1], bytes[place + 2]]
            }
        }
        if expected.count % 2 == 1 { expected.append(Array(repeating: [], count: width)) }
        let screen = try TextScreen(blocks.lines(in: .full))
        #expect(screen.rows == expected)
        #expect(screen.isReset)
        // With numbers in place of colours there are as many or fewer to say.
        let numbered = try TextScreen(blocks.lines(in: .indexed))
        #expect(numbered.isReset)
        #expect(numbered.changes <= screen.changes)
        #expect(
            numbered.rows
                == expected.map { row in
                    row.map { color in
                        color.isEmpty
                            ? []
                            : [
                                5,
                                Int(
                                    TerminalColor(
                                        UInt8(color[1]), UInt8(color[2]), UInt8(color[3])
                                    ).indexed),
                            ]
                    }
                })
    }

    /// The 240 colours that have a number, from 16 on.
    private static let numbered: [[Int]] = {
        let levels = [0, 95, 135, 175, 215, 255]
        var all: [[Int]] = []
        for red in levels {
            for green in levels {
                for blue in levels { all.append([red, green, blue]) }
            }
        }
        for step in 0..<24 { all.append(Array(repeating: 8 + 10 * step, count: 3)) }
        return all
    }()

    private func distance(_ one: [Int], _ other: [Int]) -> Int {
        var sum = 0
        for (a, b) in zip(one, other) { sum += (a - b) * (a - b) }
        return sum
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a numbered colour is as near as any`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var wrong: [[Int]] = []
        for round in 0..<50 {
            var color = (0..<3).map { _ in Int.random(in: 0...255, using: &numbers) }
            if round % 2 == 0 { color = Array(repeating: color[0], count: 3) }
            let found = TerminalColor(UInt8(color[0]), UInt8(color[1]), UInt8(color[2])).indexed
            let least = Self.numbered.map { distance(color, $0) }.min()
            if distance(color, Self.numbered[Int(found) - 16]) != least { wrong.append(color) }
        }
        #expect(wrong.isEmpty)
    }

    @Test func `a picture is fitted in cells, in its shape, and never enlarged`() {
        func cells(_ width: Int, _ height: Int, _ aspect: Double = 2) -> CellSize {
            let size = PixelSize(width: width, height: height)
            let picture = Picture(
                size: size, pixels: [UInt8](repeating: 9, count: 4 * width * height))
            return HalfBlocks(
                picture, fitting: CellSize(columns: 32, lines: 16), cellAspect: aspect
            ).cells
        }
        #expect(cells(256, 192) == CellSize(columns: 32, lines: 12))
        #expect(cells(192, 256) == CellSize(columns: 24, lines: 16))
        #expect(cells(3, 4) == CellSize(columns: 3, lines: 2))
        // Cells as wide as high make pixels twice as wide as high.
        #expect(cells(200, 200, 1) == CellSize(columns: 16, lines: 16))
        #expect(cells(200, 200, 4) == CellSize(columns: 32, lines: 8))
    }
}
