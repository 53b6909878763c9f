import Foundation
import Testing

@testable import GalleryCatalogue
@testable import ScrollModel

/// The lines of the server and those of its page, by the same vectors.
struct LineVectorTests {
    /// A list whose lines are known, in 1/1024 px; the page is tested with the same file.
    struct Vector: Decodable, CustomTestStringConvertible {
        let name: String
        let width: Int
        let header: Double
        /// The aspect ratios, in 1/64ths.
        let ratios: [Double]
        /// The first row of each section, and the number of its rows.
        let sections: [[Int]]
        /// The offset of each line, and the number of its rows.
        let tops: [Int]
        let rows: [Int]
        let height: Int

        var testDescription: String { name }
    }

    static let vectors: [Vector] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../browser/lines.json")
        guard let data = try? Data(contentsOf: file),
            let vectors = try? JSONDecoder().decode([Vector].self, from: data)
        else { return [] }
        return vectors
    }()

    @Test func `there are vectors`() { #expect(Self.vectors.count > 20) }

    @Test(arguments: vectors) func `lines are those of the vectors`(vector: Vector) throws {
        let sections = try vector.sections.map { section in
            try SectionHeights(
                header: vector.header,
                rows: RowHeights(
                    vector.ratios[section[0]..<section[0] + section[1]].map { $0 / 64 }))
        }
        let flow = try #require(ListArrangement.Flow(text: "\(vector.width)"))
        let list = try ListLayout(sections, flow: flow.lines)
        #expect(list.contentHeight * 1024 == Double(vector.height))
        var (tops, rows, next) = ([Int](), [Int](), 0)
        while next < list.rowCount {
            let line = list.line(ofRowAt: next)
            tops.append(Int(list.extent(ofRowAt: next).offset * 1024))
            rows.append(line.count)
            next = line.upperBound
        }
        #expect(tops == vector.tops && rows == vector.rows)
    }
}
