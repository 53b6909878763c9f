import ImageLoading

/// One picture of a file: its pixels, and its transformations and colour space.
struct HEIFPicture {
    let image: CodedImage
    /// The picture whose luma is the alpha of this one.
    let alpha: CodedImage?
    /// The reason why the picture is shown without the alpha that it has.
    let damage: PictureError.Reason?
    /// Whether colours are premultiplied by alpha.
    let isPremultiplied: Bool
    /// The columns and rows that are shown, before the picture is rotated.
    let columns: Range<Int>
    let rows: Range<Int>
    let orientation: PictureOrientation
    /// The colour space.
    let color: HEIFColor

    init(_ item: Int, of file: HEIFFile) throws(PictureError.Reason) {
        let table = file.table
        image = try CodedImage(item, of: file)
        color = HEIFColor(
            table.properties("colr", of: item)
                + table.properties("colr", of: image.tiles[0]))
        (columns, rows, orientation) = try Self.transformations(of: item, table, image.size)
        let alpha = table.references("auxl", to: item).first { Self.isAlpha($0, table) }
        do throws(PictureError.Reason) {
            self.alpha = try alpha.map { [image] item throws(PictureError.Reason) in
                let alpha = try CodedImage(item, of: file)
                guard image.isLike(alpha) else {
                    throw .unsupported("transparency of another size or depth")
                }
                return alpha
            }
            damage = nil
        } catch {
            guard error.isOfPart else { throw error }
            (self.alpha, damage) = (nil, error)
        }
        isPremultiplied = alpha.map { table.references("prem", from: item).contains($0) } ?? false
    }

    /// The picture, and its alpha if there is one.
    var images: [CodedImage] { [image, alpha].compactMap(\.self) }

    var format: PictureFormat { image.isAV1 ? .avif : .heic }

    var channels: Int { (image.isGrey ? 1 : 3) + (alpha == nil ? 0 : 1) }

    /// Checks the pixels to be decoded, which may be more than are shown.
    ///
    /// - Throws: `tooLarge` if they exceed the limits, or `truncated` if the file ends before the
    ///   first whole tile.
    func check(_ limits: PictureLimits, in file: HEIFFile) throws(PictureError.Reason) {
        for image in images {
            try limits.check(pixels: image.codedPixels)
        }
        guard image.tiles.contains(where: file.hasAll) else {
            throw .truncated(rowsDecoded: 0, of: size.height)
        }
        let strip = 4 * image.size.width * min(HEIFDecoder.stripHeight, image.tileSize.height)
        try limits.check(decoderMemory: images.reduce(strip) { $0 + $1.memory })
    }

    /// The size of the part that is shown, before it is rotated.
    var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }

    private static func isAlpha(_ item: Int, _ table: ItemTable) -> Bool {
        guard let index = table.items[item]?.auxiliary else { return false }
        let content = table.properties[index].content.dropFirst(4)
        let name = String(decoding: content.prefix(64).prefix { $0 != 0 }, as: UTF8.self)
        return [
            "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
        ].contains(name)
    }

    /// Returns the cropping and the orientation, from transformations in the order of the item.
    ///
    /// The orientation in EXIF metadata repeats them, and is ignored.
    private static func transformations(
        of item: Int, _ table: ItemTable, _ size: PixelSize
    ) throws(PictureError.Reason) -> (Range<Int>, Range<Int>, PictureOrientation) {
        var (columns, rows) = (0..<size.width, 0..<size.height)
        // First mirrored left to right, and then rotated clockwise by multiples of 90°.
        var (isMirrored, quarters) = (false, 0)
        for index in table.items[item]?.properties ?? [] {
            let box = table.properties[index]
            var reader = box.reader
            switch box.name {
            case "clap":
                guard !isMirrored, quarters == 0 else {
                    throw .unsupported("a picture that is turned before it is cut")
                }
                let (width, height) = (try fraction(&reader), try fraction(&reader))
                columns = try cut(columns, to: width, offset: fraction(&reader))
                rows = try cut(rows, to: height, offset: fraction(&reader))
            case "irot": quarters += 4 - (try reader.number(1) & 3)
            case "imir":
                // Top and bottom are exchanged, or left and right.
                quarters = (try reader.number(1) & 1 == 0 ? 2 : 0) - quarters
                isMirrored.toggle()
            default: break
            }
        }
        let turned: [PictureOrientation] =
            isMirrored
            ? [.mirrored, .transversed, .flipped, .transposed]
            : [.upright, .quarterTurn, .halfTurn, .threeQuarterTurn]
        return (columns, rows, turned[quarters & 3])
    }

    private static func fraction(
        _ reader: inout BoxReader
    ) throws(PictureError.Reason) -> Double {
        let value = Int32(truncatingIfNeeded: try reader.number(4))
        let unit = Int32(truncatingIfNeeded: try reader.number(4))
        guard unit != 0 else { throw .corrupt("a fraction of zero") }
        return Double(value) / Double(unit)
    }

    /// Returns the middle part of a range, moved by an offset.
    private static func cut(
        _ range: Range<Int>, to length: Double, offset: Double
    ) throws(PictureError.Reason) -> Range<Int> {
        let length = length.rounded(.down)
        let start = (offset + (Double(range.count) - length) / 2).rounded()
        guard length >= 1, start >= 0, start + length <= Double(range.count) else {
            throw .corrupt("a picture that is cut beyond its edges")
        }
        return Int(start)..<Int(start + length)
    }
}
