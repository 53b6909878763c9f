import ImageLoading

/// An item of a file that can be decoded: a single coded picture, or a grid of them.
struct CodedImage {
    /// The maximum number of tiles in a grid; a photo of 100 megapixels has 400.
    private static let maxTiles = 1024
    /// The maximum number of bytes in a decoder's configuration; that of a photo has some hundreds.
    private static let maxConfiguration = 64 << 10

    /// The items that contain pixels: the tiles, by rows, or the item itself if it is no grid.
    let tiles: [Int]
    /// The number of tiles in a row.
    let columns: Int
    /// The size of the whole picture, from its properties.
    let size: PixelSize
    /// The size of a tile, or of the whole picture if it is no grid.
    let tileSize: PixelSize
    /// The coding of the pixels: hvc1 or av01.
    let type: String
    /// The decoder's configuration: the content of hvcC or av1C.
    let configuration: [UInt8]

    init(_ item: Int, of file: HEIFFile) throws(PictureError.Reason) {
        let table = file.table
        let type = try Self.type(of: item, table)
        size = try Self.size(of: item, table)
        guard type == "grid" else {
            (tiles, columns, tileSize, self.type) = ([item], 1, size, type)
            configuration = try Self.configuration(of: item, table)
            return
        }
        tiles = table.references("dimg", from: item)
        let rows: Int
        (columns, rows) = try Self.grid(file.data(of: item, atMost: 12), size)
        guard columns * rows <= Self.maxTiles, columns * rows == tiles.count else {
            throw .corrupt("a grid of \(columns)x\(rows) tiles, of which it names \(tiles.count)")
        }
        self.type = try Self.type(of: tiles[0], table)
        tileSize = try Self.size(of: tiles[0], table)
        configuration = try Self.configuration(of: tiles[0], table)
        var sizes = AlikeBoxes(table.items[tiles[0]]?.size, of: table)
        var configurations = AlikeBoxes(table.items[tiles[0]]?.configuration, of: table)
        for tile in tiles {
            guard try Self.type(of: tile, table) == self.type,
                sizes.contains(table.items[tile]?.size),
                configurations.contains(table.items[tile]?.configuration)
            else { throw .corrupt("a grid of tiles that differ") }
        }
        guard columns * tileSize.width >= size.width, rows * tileSize.height >= size.height else {
            throw .corrupt("a grid of \(size) pixels with too few tiles of \(tileSize)")
        }
    }

    /// Returns whether another picture can be the alpha of this one, tile by tile.
    func isLike(_ other: CodedImage) -> Bool {
        other.size == size && other.tileSize == tileSize && other.depth == depth
            && other.type == type
    }

    var isAV1: Bool { type == "av01" }

    /// The number of bits in a value.
    var depth: Int {
        if !isAV1 { return 8 + Int(configuration[17] & 7) }
        return configuration[2] & 0x40 == 0 ? 8 : configuration[2] & 0x20 == 0 ? 10 : 12
    }

    /// The number of values for two pixels.
    private var valuesForTwo: Int {
        guard isAV1 else { return Self.valuesForTwo[Int(configuration[16] & 3)] }
        if configuration[2] & 0x10 != 0 { return 2 }
        return configuration[2] & 8 == 0 ? 6 : configuration[2] & 4 == 0 ? 4 : 3
    }

    /// The number of values for two pixels, by HEVC's `chroma_format_idc`.
    static let valuesForTwo = [2, 3, 4, 6]

    /// Whether the picture is monochrome.
    var isGrey: Bool { valuesForTwo == 2 }

    /// The number of pixels that are decoded, including parts of tiles beyond the picture.
    var codedPixels: Int { tiles.count * tileSize.width * tileSize.height }

    /// The peak memory of decoding, in bytes: a row of tiles.
    var memory: Int { columns * tileMemory }

    /// The number of bytes in a decoded tile.
    var tileMemory: Int { tileSize.width * tileSize.height * bytesForTwo / 2 }

    /// The number of bytes in two decoded pixels.
    var bytesForTwo: Int { valuesForTwo * (depth > 8 ? 2 : 1) }

    private static func type(
        of item: Int, _ table: ItemTable
    ) throws(PictureError.Reason) -> String {
        guard let item = table.items[item] else { throw .corrupt("an item that isn't there") }
        if let name = item.unknownProperty { throw .unsupported("a picture that needs \(name)") }
        guard ["hvc1", "av01", "grid"].contains(item.type) else {
            throw .unsupported("a picture of type \(item.type)")
        }
        return item.type
    }

    private static func size(
        of item: Int, _ table: ItemTable
    ) throws(PictureError.Reason) -> PixelSize {
        guard let index = table.items[item]?.size else {
            throw .corrupt("a picture without a size")
        }
        var reader = try table.properties[index].versioned().reader
        let size = PixelSize(width: try reader.number(4), height: try reader.number(4))
        try size.check()
        return size
    }

    private static func configuration(
        of number: Int, _ table: ItemTable
    ) throws(PictureError.Reason) -> [UInt8] {
        guard let item = table.items[number] else { throw .corrupt("an item that isn't there") }
        // A grid of grids is rejected here, as a grid has no configuration.
        let content = item.configuration.map { table.properties[$0].content } ?? []
        guard content.count >= (item.type == "av01" ? 4 : 23) else {
            throw .corrupt("a picture without a box \(item.configurationName)")
        }
        guard content.count <= maxConfiguration else {
            throw .corrupt("a box \(item.configurationName) of \(content.count) bytes")
        }
        return Array(content)
    }

    private static func grid(
        _ bytes: [UInt8], _ size: PixelSize
    ) throws(PictureError.Reason) -> (columns: Int, rows: Int) {
        var reader = BoxReader(bytes[...])
        let flags = try reader.number(2)
        let (rows, columns) = (1 + (try reader.number(1)), 1 + (try reader.number(1)))
        let length = flags & 1 == 0 ? 2 : 4
        guard try reader.number(length) == size.width, try reader.number(length) == size.height
        else { throw .corrupt("a grid of another size than the picture's") }
        return (columns, rows)
    }
}

/// The boxes of a table with the same content as a first one.
///
/// Each box is compared once, however many tiles have it.
struct AlikeBoxes {
    private let table: ItemTable
    private(set) var indexes: Set<Int>
    private let content: ArraySlice<UInt8>

    init(_ first: Int?, of table: ItemTable) {
        self.table = table
        indexes = first.map { [$0] } ?? []
        content = first.map { table.properties[$0].content } ?? []
    }

    /// Returns whether a box of the table has that content.
    mutating func contains(_ index: Int?) -> Bool {
        guard let index else { return false }
        if indexes.contains(index) { return true }
        guard table.properties[index].content == content else { return false }
        indexes.insert(index)
        return true
    }
}
