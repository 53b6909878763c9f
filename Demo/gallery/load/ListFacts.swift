internal import Foundation
internal import ScrollModel

/// A part of the server's list: heights of rows and sections.
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

    /// Returns the list that several answers, one after the other, tell of.
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

/// Some of the list's rows.
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
}

/// The pictures that are there, or can't be had, by an event of the server.
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
}

extension Decodable {
    /// The value of a text of JSON.
    init(json: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json))
    }
}
