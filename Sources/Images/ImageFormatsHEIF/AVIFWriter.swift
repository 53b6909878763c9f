import ImageLoading

/// A writer of an AVIF file that holds only one coded picture of another file.
///
/// This file, made of checked items, is the one given to libavif: its parser of boxes, references
/// and extents sees no untrusted ones. Also, any picture of a file can be made the primary one: a
/// tile, or a thumbnail.
struct AVIFWriter {
    private let file: HEIFFile
    private var entries: [UInt8] = []
    private var properties: [UInt8] = []
    private var propertyCount = 0
    private var associations: [UInt8] = []
    private var data: [UInt8] = []
    private var lengths: [Int] = []

    init(_ file: HEIFFile) { self.file = file }

    /// Adds an item: first the picture, and then its alpha if there is one.
    ///
    /// - Returns: The item's bytes.
    mutating func add(
        _ item: Int, limits: PictureLimits
    ) throws(PictureError.Reason) -> ArraySlice<UInt8> {
        let start = data.count
        data += try file.data(of: item, atMost: limits.fileBytes - start)
        lengths.append(data.count - start)
        let number = Self.number(lengths.count, 2)
        entries += Self.box("infe", [2, 0, 0, 0] + number + [0, 0] + "av01".utf8 + [0])
        var own: [UInt8] = []
        for index in file.table.items[item]?.properties ?? [] {
            let property = file.table.properties[index]
            guard Self.kept.contains(property.name) else { continue }
            own += add(property.bytes, isEssential: ["a1op", "lsel"].contains(property.name))
        }
        if lengths.count == 2 { own += add(Self.alphaMark[...], isEssential: true) }
        associations += number + [UInt8(own.count / 2)] + own
        return data[start...]
    }

    private static let kept: Set = ["a1lx", "a1op", "av1C", "ispe", "lsel", "pixi"]
    private static let alphaMark = box(
        "auxC", [0, 0, 0, 0] + "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8)

    private mutating func add(_ property: ArraySlice<UInt8>, isEssential: Bool) -> [UInt8] {
        properties += property
        propertyCount += 1
        return Self.number(propertyCount | (isEssential ? 0x8000 : 0), 2)
    }

    /// The new file.
    var bytes: [UInt8] {
        let type = Self.box("ftyp", Array("avif\0\0\0\0mif1avif".utf8))
        // Its length doesn't depend on where the data are.
        let start = type.count + meta(dataAt: 0).count + 8
        return type + meta(dataAt: start) + Self.number(8 + data.count, 4) + "mdat".utf8 + data
    }

    private func meta(dataAt start: Int) -> [UInt8] {
        let count = Self.number(lengths.count, 2)
        var locations: [UInt8] = []
        var position = start
        for (index, length) in lengths.enumerated() {
            locations += Self.number(index + 1, 2) + [0, 0, 0, 1]
            locations += Self.number(position, 4) + Self.number(length, 4)
            position += length
        }
        let handler: [UInt8] = [0, 0, 0, 0] + "pict".utf8 + [UInt8](repeating: 0, count: 13)
        var boxes: [UInt8] = [0, 0, 0, 0]
        boxes += Self.box("hdlr", [0, 0, 0, 0] + handler)
        boxes += Self.box("pitm", [0, 0, 0, 0, 0, 1])
        boxes += Self.box("iloc", [0, 0, 0, 0, 0x44, 0] + count + locations)
        boxes += Self.box("iinf", [0, 0, 0, 0] + count + entries)
        if lengths.count == 2 {
            // The second item is the alpha of the first.
            boxes += Self.box("iref", [0, 0, 0, 0] + Self.box("auxl", [0, 2, 0, 1, 0, 1]))
        }
        boxes += Self.box(
            "iprp",
            Self.box("ipco", properties)
                + Self.box("ipma", [0, 0, 0, 1, 0, 0] + count + associations))
        return Self.box("meta", boxes)
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(8 + content.count, 4) + name.utf8 + content
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
}
