import GalleryFiles
import LullTesting
import TestSupport
import Testing

struct PictureKeyTests {
    @Test func `a number is the same on each machine and after each start`() throws {
        let path = try #require(FilePath(Array("a/b.jpg".utf8)))
        #expect(PictureID(of: path).text == PictureID(of: path).text)
        #expect(PictureID(of: path).text == "0971e0ef90a76a5d")
        #expect(PictureID(of: .root) != PictureID(of: path))
    }

    @Test func `a text leads back to its key, and no other text does`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1000 {
            let shift = UInt64.random(in: 0..<64, using: &random)
            let key = PictureKey(
                id: PictureID(random.next() >> shift), stamp: random.next() >> shift)
            #expect(PictureKey(text: key.text) == key)
            #expect(key.text.utf8.count == 33)
        }
        let good = "0123456789abcdef-0123456789abcdef"
        #expect(PictureKey(text: good)?.text == good)
        let bad = [
            "", "-", good + "-", "-" + good, good.uppercased(), good + "0", "0" + good,
            "+123456789abcdef-0123456789abcdef", "0123456789abcdef0123456789abcdef",
            "0123456789abcdef-0123456789abcde", "0123456789abcdeg-0123456789abcdef",
            " 123456789abcdef-0123456789abcdef", "0123456789abcdef--123456789abcdef",
        ]
        for text in bad { #expect(PictureKey(text: text) == nil, "\(text)") }
    }
}
