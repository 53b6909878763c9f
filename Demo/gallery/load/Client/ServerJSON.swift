internal import Foundation
internal import GalleryCatalogue
internal import ScrollModel

/// A part of the server's list: the shapes of pictures, and sections.
struct ListFacts: Decodable {
    let version: Int
    let header: Double
    let next: Int?
    /// The aspect ratios in 1/64ths.
    let ratios: [Double]
    let sections: [Section]

    /// A folder: its first row, and its number of rows.
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

    /// The flow of pictures in lines on the pages of users.
    static let flow = ListArrangement.Flow.justified(width: width)
    /// The width of the lines.
    static let width = 1152

    /// Returns the list that consists of several consecutive answers.
    static func layout(_ parts: [ListFacts]) throws -> ListLayout {
        let ratios = parts.flatMap(\.ratios).map { $0 / 64 }
        let sections = try parts.flatMap(\.sections).map { section in
            try SectionHeights(
                header: parts[0].header,
                rows: RowHeights(
                    Array(ratios[section.first..<section.first + section.count])))
        }
        return try ListLayout(sections, flow: flow.lines)
    }
}

/// The pictures that are available or have failed, in an event of the server.
struct PictureEvent: Decodable {
    let t: [Row]?
    let f: [Row]?

    /// A row, with its picture's key or error.
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
    /// Decodes a value from JSON text.
    init(json: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json))
    }
}
