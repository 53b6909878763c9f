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
            HalfBlocks(picture).lines == [
                "\u{1B}[38;2;1;2;3;48;2;4;5;6m▀▀\u{1B}[48;2;9;9;9m ▀\u{1B}[0m"
            ])
    }

    @Test func `below an odd count of rows is the terminal's own ground`() {
        let picture = Picture.rows([[(1, 2, 3)], [(1, 2, 3)], [(4, 5, 6)]])
        let blocks = HalfBlocks(picture)
        #expect(
            blocks.lines == [
                "\u{1B}[48;2;1;2;3m \u{1B}[0m", "\u{1B}[38;2;4;5;6m▀\u{1B}[0m",
            ])
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a terminal shows the very pixels`(seed: UInt64) throws {
        var numbers = SplitMix64(seed: seed)
        let picture = Picture.random(.random(upTo: 11, using: &numbers), using: &numbers)
        let blocks = HalfBlocks(picture)
        let bytes = picture.pixels.map { Int($0) }
        let width = picture.size.width
        var expected = (0..<picture.size.height).map { row in
            (0..<width).map { column in
                let place = 4 * (row * width + column)
                return [2, bytes[place], bytes[place + 1], bytes[place + 2]]
            }
        }
        if expected.count % 2 == 1 { expected.append(Array(repeating: [], count: width)) }
        let screen = try TextScreen(blocks.lines)
        #expect(screen.rows == expected)
        #expect(screen.isReset)
    }

    @Test func `a picture is fitted in cells, in its shape, and never enlarged`() {
        func fitted(_ width: Int, _ height: Int) -> PixelSize {
            let size = PixelSize(width: width, height: height)
            let picture = Picture(
                size: size, pixels: [UInt8](repeating: 9, count: 4 * width * height))
            return HalfBlocks(picture, fitting: CellSize(columns: 32, lines: 16)).size
        }
        #expect(fitted(256, 192) == PixelSize(width: 32, height: 24))
        #expect(fitted(192, 256) == PixelSize(width: 24, height: 32))
        #expect(fitted(3, 4) == PixelSize(width: 3, height: 4))
    }
}
