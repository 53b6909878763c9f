import Testing

@testable import ImageFormatsHEIF
@testable import ImageLoading

@Suite struct `The date of a HEIC` {
    /// Metadata with the date 1970-01-02 00:00:01.
    private static let notes =
        Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x32, 1, 2, 0, 20, 0, 0, 0, 26, 0, 0, 0]
        + [0, 0, 0, 0] + Array("1970:01:02 00:00:01\0".utf8)

    private func date(_ data: [UInt8], type: String = "Exif", of picture: Int = 1) throws -> Int? {
        let notes = Boxes.Item(type: type, properties: [], data: data)
        let boxes = Boxes(
            items: [try Boxes.item(of: file("plain.heic")), notes],
            references: [("cdsc", 2, [picture])])
        return try PictureHeader.read(.bytes(boxes.bytes), named: "a", decoders: .withHEIF)
            .dateTaken
    }

    @Test(arguments: [0, 6]) func `is that of its metadata`(distance: Int) throws {
        let before = [0, 0, 0, UInt8(distance)] + [UInt8](repeating: 0, count: distance)
        #expect(try date(before + Self.notes) == 86_401)
    }

    @Test func `is unknown if they are damaged, too long, or another picture's`() throws {
        let whole = [0, 0, 0, 0] + Self.notes
        for count in 1..<whole.count {
            #expect([nil, 86_401].contains(try date(Array(whole[..<count]))))
        }
        #expect(try date([255, 255, 255, 255] + Self.notes) == nil)
        #expect(try date(whole + [UInt8](repeating: 0, count: 70_000)) == nil)
        #expect(try date(whole, type: "mime") == nil)
        #expect(try date(whole, of: 2) == nil)
    }
}
