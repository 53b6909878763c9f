import LullTesting
import TestSupport
import Testing

@testable import GalleryCatalogue

struct NaturalOrderTests {
    @Test func `numbers count as numbers, and letters whatever their case`() {
        let names = [
            "", "1", "01", "2", "10", "a", "a/b", "a/c", "a b", "A1", "a2", "a10", "a10b", "B", "b",
            "img2.jpg", "IMG10.jpg", "img99999999999999999999999.jpg",
        ]
        #expect(sorted(names.reversed()) == sorted(names))
        #expect(
            sorted(["img10", "img2", "img1", "Img02", "img"])
                == ["img", "img1", "Img02", "img2", "img10"])
        #expect(sorted(["a b", "a/z", "a", "a.b"]) == ["a", "a/z", "a b", "a.b"])
        #expect(sorted(["x9", "x10", "x09", "x"]) == ["x", "x09", "x9", "x10"])
    }

    @Test(arguments: 0..<20) func `it is one order of all names`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = Array("aAbB019/ \u{0}é".utf8.filter { $0 != 0 })
        let names = (0..<40).map { _ in
            (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? 0
            }
        }
        var wrong: [[[UInt8]]] = []
        for one in names {
            for other in names {
                let order = NaturalOrder.compare(one, other)
                let back = NaturalOrder.compare(other, one)
                if order.signum() != -back.signum() || (order == 0) != (one == other) {
                    wrong.append([one, other])
                }
                for third in names where order < 0 && NaturalOrder.compare(other, third) < 0 {
                    if NaturalOrder.compare(one, third) >= 0 { wrong.append([one, other, third]) }
                }
            }
        }
        #expect(wrong == [])
    }

    private func sorted(_ names: [String]) -> [String] {
        names.sorted { NaturalOrder.compare(Array($0.utf8), Array($1.utf8)) < 0 }
    }
}
