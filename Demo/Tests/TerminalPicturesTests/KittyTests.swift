import Glibc
import ImageLoading
import TestSupport
import Testing

@testable import TerminalPictures

struct KittyTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private let cells = CellSize(columns: 12, lines: 6)

    @Test func `a pixel goes in one command`() {
        let dot = Picture.rows([[(1, 2, 3)]])
        #expect(
            text(KittyGraphics.transmit(dot, as: 7, in: cells))
                == "\u{1B}_Ga=T,f=24,s=1,v=1,i=7,q=2,U=1,c=12,r=6;AQID\u{1B}\\")
        let clear = Picture(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
        #expect(
            text(KittyGraphics.transmit(clear, as: 7, in: cells, over: .white))
                == "\u{1B}_Ga=T,f=24,s=1,v=1,i=7,q=2,U=1,c=12,r=6;////\u{1B}\\")
        #expect(text(KittyGraphics.delete(9)) == "\u{1B}_Ga=d,d=I,i=9,q=2\u{1B}\\")
    }

    @Test(arguments: [0, 1, 2, 3] as [UInt64])
    func `a picture comes back from its parts, none of them too long`(seed: UInt64) throws {
        var numbers = SplitMix64(seed: seed)
        // With 3 bytes a pixel, 1024 pixels fill a part to its end.
        let size = PixelSize(width: 32, height: [31, 32, 33, 96][Int(seed)])
        for isOpaque in [true, false] {
            let picture = Picture.random(size, isOpaque: isOpaque, using: &numbers)
            let stream = try GraphicsStream(
                KittyGraphics.transmit(picture, as: .max, in: cells))
            #expect(stream.commands.count == 1)
            #expect(stream.longestPart <= 4096)
            let keys = stream.commands[0].keys
            #expect(keys["s"] == "32" && keys["v"] == "\(size.height)")
            #expect(keys["i"] == "4294967295" && keys["q"] == "2" && keys["a"] == "T")
            #expect(keys["U"] == "1" && keys["c"] == "12" && keys["r"] == "6")
            #expect(decoded(stream.commands[0].data) == picture.opaqueBytes(over: .black))
        }
    }

    @Test func `tmux gets each command in an envelope`() {
        #expect(
            text(TmuxPassthrough.wrapped(KittyGraphics.delete(1) + KittyGraphics.delete(2)))
                == "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=d,d=I,i=1,q=2\u{1B}\u{1B}\\\u{1B}\\"
                + "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=d,d=I,i=2,q=2\u{1B}\u{1B}\\\u{1B}\\")
        #expect(TmuxPassthrough.wrapped([]).isEmpty)
    }

    // MARK: - Placeholders

    @Test func `rows and columns are counted by the marks of the protocol`() {
        // As the protocol makes its list: all that Unicode 6.0 has of class 230, without those
        // that merge with a letter.
        let merging: Set<UInt32> = [
            0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C,
            0x30F, 0x311, 0x313, 0x314, 0x340, 0x341, 0x342, 0x343, 0x344, 0x653, 0x654,
        ]
        let marks = (UInt32(0x300)...0x1F000).compactMap { Unicode.Scalar($0) }.filter { scalar in
            let properties = scalar.properties
            guard properties.canonicalCombiningClass.rawValue == 230,
                properties.generalCategory == .nonspacingMark,
                let age = properties.age, !merging.contains(scalar.value)
            else { return false }
            return (age.major, age.minor) <= (6, 0)
        }
        #expect(KittyPlaceholder.marks == marks)
        #expect(marks.count == KittyPlaceholder.places)
    }

    @Test func `a placeholder is one character that says its place`() {
        let first = KittyPlaceholder.character(row: 0, column: 1, of: 0x01_02_03)
        #expect(Array(first.unicodeScalars) == ["\u{10EEEE}", "\u{305}", "\u{30D}"])
        let high = KittyPlaceholder.character(row: 2, column: 296, of: 0x02_00_00_01)
        #expect(
            Array(high.unicodeScalars) == ["\u{10EEEE}", "\u{30E}", "\u{1D244}", "\u{30E}"])
        #expect(KittyPlaceholder.color(of: 0xFF_01_02_03) == TerminalColor(1, 2, 3))
        let all = Set(
            (0..<297).flatMap { place in
                [
                    KittyPlaceholder.character(row: place, column: 0, of: 1),
                    KittyPlaceholder.character(row: 0, column: place, of: 1),
                ]
            })
        #expect(all.count == 2 * 297 - 1)
    }
}
