internal import CLullHEIF
public import ImageLoading

/// A decoder of HEIC and AVIF, as used by phones and the web, with libde265 and libavif.
///
/// ```swift
/// var options = PictureJob.Options()
/// options.decoders = .standard + [HEIFDecoder.self]
/// let job = PictureJob(.file("IMG_0001.HEIC"), fitting: targetSize, options: options)
/// ```
///
/// A step decodes a tile, which takes 8 ms for a photo from a phone, or the whole photo if it has
/// no tiles. It can't be interrupted, so it belongs on a worker or in a helper process.
///
/// The libraries don't read the untrusted file itself. Its boxes are read here, and the size of
/// each tile and the number of pictures in it are compared with the limits; then the tile alone is
/// given to the library.
/// The decoder holds a row of tiles at a time. Beyond these bounds a file is `corrupt`:
///
/// | Structure | Bound |
/// |---|---|
/// | Boxes before the `meta` box; its bytes; its items | 64; 256 KB; 4096 |
/// | Properties of an item; tiles of a grid; thumbnails | 100; 1024; the first 4 |
/// | The configuration of a decoder; EXIF metadata | 64 KB |
/// | Pictures of HEVC in an item; frames of AV1 | 1 that needs no other; 8 |
/// | Decoded pixels, as slices may overlap | 8 times the limit of pixels |
///
/// The place of a tile that is damaged is transparent. A picture whose alpha has another size, depth
/// or coding, or is damaged, is shown without it. Both are the picture's damage.
///
/// Of a sequence it shows the primary picture. Rotation and mirroring are taken from the file's
/// boxes; in these formats, only the date is taken from EXIF metadata.
public final class HEIFDecoder: PictureDecoder {
    /// The length of the first box, its name, and a brand; see ``recognizes(_:)``.
    public static let signatures: [[UInt8?]] = [
        [nil, nil, nil, nil] + "ftyp".utf8.map(\.self) + [nil, nil, nil, nil]
    ]

    /// Returns whether one of the brands in the first box, in any place, is one of still pictures.
    public static func recognizes(_ head: [UInt8]) -> Bool {
        hasStillPicture(head) && heif_is_available()
    }

    private static func hasStillPicture(_ head: [UInt8]) -> Bool {
        var reader = BoxReader(head[...])
        guard let box = try? BoxHead(&reader, of: head.count) else { return false }
        var content = BoxReader(head.prefix(box.length).dropFirst(box.size))
        while let brand = try? content.name() {
            if brands.contains(brand) { return true }
        }
        return false
    }

    private static let brands: Set = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "miaf", "msf1", "1pic",
        "avif", "avis", "avio",
    ]

    /// The number of rows converted at a time, which fit in a processor's cache, and the number of
    /// rows above and below that are used to interpolate chroma.
    private static let (convertedRows, margin) = (64, 2)
    /// The maximum number of rows in a strip.
    static let stripHeight = convertedRows + 2 * margin

    private let file: HEIFFile
    private let picture: HEIFPicture
    private let limits: PictureLimits
    private var work: DecoderCost
    /// Whether the rows will be scaled down; then subsampled chroma isn't interpolated, as the
    /// difference would be invisible.
    private var isShrunk = false
    /// The tiles of the current row of tiles that have been decoded so far.
    private var tiles: [DecodedTile?] = []
    /// The picture of the alpha, while it can be decoded.
    private var alpha: CodedImage?
    /// The part that is missing: the first tile that can't be decoded, or the alpha.
    public private(set) var damage: PictureError.Reason?
    private var tileRow = 0
    /// Some rows of the coded picture, from `stripStart` on, and the range that can be shown.
    private var strip = PictureBuffer()
    private var stripStart = 0
    private var stripRows = 0..<0
    private var next: Int

    /// Reads the boxes of a file, with two or three reads of some kilobytes.
    public static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader {
        let heif = try HEIFFile(file)
        let picture = try HEIFPicture(heif.table.primary, of: heif)
        return PictureHeader(
            format: picture.format, size: picture.size, fileBytes: file.byteCount,
            channels: picture.channels, bytesPerSample: picture.image.depth > 8 ? 2 : 1,
            orientation: picture.orientation,
            embeddedThumbnail: heif.thumbnail(of: picture)?.header,
            colors: picture.color.profiled, dateTaken: heif.dateTaken)
    }

    /// Creates a decoder of a file's picture, or of the thumbnail that its header describes.
    public init(_ encoded: EncodedPicture) throws(PictureError.Reason) {
        file = try HEIFFile(encoded.file)
        let main = try HEIFPicture(file.table.primary, of: file)
        if encoded.range == 0..<encoded.file.byteCount {
            picture = main
        } else {
            guard let thumbnail = file.thumbnail(of: main), thumbnail.header.range == encoded.range
            else { throw .corrupt("a thumbnail that isn't there any more") }
            picture = thumbnail.picture
        }
        limits = encoded.limits
        try picture.check(limits, in: file)
        work = DecoderCost(limits: limits)
        (alpha, damage) = (picture.alpha, picture.damage)
        next = picture.rows.lowerBound
        tileRow = next / picture.image.tileSize.height
    }

    /// Returns rows of the picture's own size: neither format can be scaled while it is decoded.
    public func prepare(for targetSize: PixelSize) -> PictureRows? {
        isShrunk = picture.size.fitted(in: targetSize) != picture.size
        return PictureRows(
            stored: picture.size, size: picture.size, channels: 4,
            model: picture.image.isGrey ? .grey : .rgb)
    }

    /// Decodes a tile, or adds a row if its tiles have been decoded.
    public func readRow(into resizer: inout RowResizer) throws(PictureError.Reason) -> Bool {
        let image = picture.image
        if next / image.tileSize.height != tileRow {
            tileRow = next / image.tileSize.height
            tiles = []
        }
        guard tiles.count == image.columns else {
            try decodeTile(tileRow * image.columns + tiles.count)
            return false
        }
        let rowBytes = 4 * image.size.width
        if !stripRows.contains(next) { try convert(rowBytes) }
        let start = (next - stripStart) * rowBytes
        let (first, last) = (picture.columns.lowerBound, picture.columns.upperBound)
        let strip = strip
        resizer.add(strip.span.extracting(start + 4 * first..<start + 4 * last))
        next += 1
        return true
    }

    /// Decodes a tile; the place of one that is damaged is transparent.
    private func decodeTile(_ index: Int) throws(PictureError.Reason) {
        do throws(PictureError.Reason) {
            let tile = try decodedTile(index, alpha)
            damage = damage ?? tile.damage
            tiles.append(tile)
        } catch {
            if alpha != nil, error.isOfPart, let tile = try? decodedTile(index, nil) {
                alpha = nil
                tiles.append(tile)
            } else if error.isOfFile {
                tiles.append(nil)
            } else {
                throw error
            }
            damage = damage ?? error
        }
    }

    private func decodedTile(
        _ index: Int, _ alpha: CodedImage?
    ) throws(PictureError.Reason) -> DecodedTile {
        let decoded = try DecodedTile()
        if picture.image.isAV1 {
            try decoded.decode(av1File(ofTile: index, alpha), alpha: [], of: picture)
        } else {
            let alpha = try alpha.map { alpha throws(PictureError.Reason) in
                try hevcUnits(ofTile: index, of: alpha)
            }
            try decoded.decode(
                hevcUnits(ofTile: index, of: picture.image), alpha: alpha ?? [], of: picture)
        }
        return decoded
    }

    private func av1File(
        ofTile index: Int, _ alpha: CodedImage?
    ) throws(PictureError.Reason) -> [UInt8] {
        var single = AVIFWriter(file)
        for image in [picture.image, alpha].compactMap(\.self) {
            try work.checkAV1(single.add(image.tiles[index], limits: limits), image.tileSize)
        }
        return single.bytes
    }

    private func hevcUnits(
        ofTile index: Int, of image: CodedImage
    ) throws(PictureError.Reason) -> [UInt8] {
        let bytes = try file.data(of: image.tiles[index], atMost: limits.fileBytes)
        return try HEVCParameters.units(of: image) + work.checkHEVC(bytes, of: image)
    }

    /// Converts the strip that contains the next row.
    private func convert(_ rowBytes: Int) throws(PictureError.Reason) {
        let image = picture.image
        let (tileWidth, tileHeight) = (image.tileSize.width, image.tileSize.height)
        let top = tileRow * tileHeight
        let end = min(tileHeight, image.size.height - top)
        let first = (next - top) / Self.convertedRows * Self.convertedRows
        stripRows = top + first..<top + min(first + Self.convertedRows, end)
        let margin = isShrunk ? 0 : Self.margin
        let rows = max(first - margin, 0)..<min(first + Self.convertedRows + margin, end)
        stripStart = top + rows.lowerBound
        if strip.isEmpty || tiles.contains(where: { $0 == nil }) {
            let height = min(Self.stripHeight, tileHeight)
            strip = PictureBuffer(capacity: height * rowBytes)
            strip.appendZeros(height * rowBytes)
        }
        for (column, tile) in tiles.enumerated() where column * tileWidth < image.size.width {
            let left = column * tileWidth
            try tile?.write(
                rows, width: min(tileWidth, image.size.width - left), to: &strip, at: 4 * left,
                rowBytes: rowBytes, isSmooth: !isShrunk)
        }
    }
}

extension HEIFFile {
    /// The maximum number of thumbnails that are examined.
    private static let maxThumbnails = 4

    /// Returns the first thumbnail that is like the picture; its range is that of its first pixels.
    fileprivate func thumbnail(
        of main: HEIFPicture
    ) -> (picture: HEIFPicture, header: EmbeddedThumbnail)? {
        for number in table.references("thmb", to: table.primary).prefix(Self.maxThumbnails) {
            guard let picture = try? HEIFPicture(number, of: self),
                picture.orientation == main.orientation,
                (picture.alpha == nil) == (main.alpha == nil),
                let item = table.items[picture.image.tiles[0]], !item.isInTable,
                let range = item.extents.first
            else { continue }
            let header = EmbeddedThumbnail(
                range: range, format: picture.format, size: picture.size,
                channels: picture.channels)
            return (picture, header)
        }
        return nil
    }
}

extension PictureFormat {
    /// A HEIC: a still picture coded as HEVC.
    public static let heic = PictureFormat(
        "HEIC", "image/heic", cost: .fileBytes(185), memory: .pixels(3), needsWorker: true)
    /// An AVIF: a still picture coded as AV1.
    public static let avif = PictureFormat(
        "AVIF", "image/avif", cost: .fileBytes(100), memory: .pixels(2), needsWorker: true)
}
