internal import Foundation
internal import ScrollModel

/// Where the rows of the server's list lie, as far as the server has said.
struct ListFacts: Decodable {
    let version: Int
    let rows: Int
    let header: Double
    let next: Int?
    let heights: [Double]
    let sections: [Section]

    /// A folder: its first row, and how many it has.
    struct Section: Decodable {
        let first: Int
        let count: Int

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            _ = try values.decode(String.self)
            first = try values.decode(Int.self)
            count = try values.decode(Int.self)
        }
    }

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(ListFacts.self, from: Data(bytes))
    }

    /// The list that several answers, one after the other, tell of.
    static func layout(_ parts: [ListFacts]) throws -> ListLayout {
        let heights = parts.flatMap(\.heights)
        let sections = try parts.flatMap(\.sections).map { section in
            try SectionHeights(
                header: parts[0].header,
                rows: RowHeights(
                    Array(heights[section.first..<section.first + section.count])))
        }
        return try ListLayout(sections)
    }
}

/// What some of the list's rows are.
struct RowFacts: Decodable {
    let rows: [Row]

    /// The key of a row's picture, and how many pixels that has.
    struct Row: Decodable {
        let key: String
        let area: Int

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            key = try values.decode(String.self)
            _ = try values.decode(String.self)
            area = try values.decode(Int.self) * values.decode(Int.self)
        }
    }

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(RowFacts.self, from: Data(bytes))
    }
}

/// What an event of the server says is there, or can't be had.
struct PictureNews: Decodable {
    let v: Int
    let t: [Row]?
    let f: [Row]?

    /// A row, and its picture's key or what is wrong with it.
    struct Row: Decodable {
        let row: Int
        let text: String

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            row = try values.decode(Int.self)
            text = try values.decode(String.self)
        }
    }

    init(_ text: String) throws {
        self = try JSONDecoder().decode(PictureNews.self, from: Data(text.utf8))
    }
}
