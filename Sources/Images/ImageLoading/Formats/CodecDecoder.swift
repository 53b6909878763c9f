import CLullPictureCodecs

/// A decoder that uses libjpeg, libpng or libwebp.
@safe class CodecDecoder {
    private let codec: OpaquePointer
    private let picture: EncodedPicture
    private var decoderMemory = 0
    /// The number of rows in full detail.
    private var rowsRead = 0
    private var isParsed = false
    private var rows: PictureRows
    final private(set) var isPreview = false

    /// Creates a decoder from a library's codec, which is nil if there was no memory.
    init(_ picture: EncodedPicture, opened codec: OpaquePointer?) throws(PictureError.Reason) {
        guard let codec = unsafe codec else { throw .outOfMemory }
        unsafe self.codec = codec
        self.picture = picture
        let size = picture.header.size
        rows = PictureRows(stored: size, size: size, channels: 4)
    }

    deinit { unsafe picture_codec_close(codec) }

    final func prepare(for targetSize: PixelSize) throws(PictureError.Reason) -> PictureRows? {
        guard isParsed else {
            isParsed = try readHeader()
            return nil
        }
        let target = rows.stored.fitted(in: targetSize)
        var found = PictureCodecRows()
        let codecTarget = PictureCodecTarget(
            width: Int64(target.width), height: Int64(target.height),
            previews: picture.givesPreviews, deep: picture.header.colors != .sRGB)
        guard try unsafe isDone(picture_codec_start(codec, codecTarget, &found)) else { return nil }
        rows = PictureRows(
            stored: rows.stored,
            size: PixelSize(width: Int(found.width), height: Int(found.height)),
            channels: Int(found.channels), model: ColorModel(found.model), areDeep: found.deep)
        return rows
    }

    private func readHeader() throws(PictureError.Reason) -> Bool {
        var found = PictureCodecHeader()
        guard try unsafe isDone(picture_codec_read_header(codec, &found)) else { return false }
        let size = PixelSize(width: Int(found.width), height: Int(found.height))
        rows = PictureRows(stored: size, size: size, channels: 4)
        decoderMemory = Int(found.memory)
        // The file may have changed since its size was first read.
        try picture.limits.check(size)
        try picture.limits.check(decoderMemory: decoderMemory)
        return true
    }

    final func readRow(into resizer: inout RowResizer) throws(PictureError.Reason) -> Bool {
        var row: UnsafePointer<UInt8>?
        let status = unsafe picture_codec_read_row(codec, &row)
        guard try isDone(status) else { return false }
        isPreview = status == .preview
        let count = rows.channels * rows.size.width
        if rows.areDeep {
            unsafe UnsafeRawBufferPointer(start: row, count: 2 * count)
                .withMemoryRebound(to: UInt16.self) { resizer.add(unsafe $0.span) }
        } else {
            resizer.add(unsafe UnsafeBufferPointer(start: row, count: count).span)
        }
        if !isPreview, unsafe picture_codec_damage(codec) == .done { rowsRead += 1 }
        return true
    }

    final var damage: PictureError.Reason? {
        switch unsafe picture_codec_damage(codec) {
        case .truncated: truncation
        case .corrupt: .corrupt(message)
        default: nil
        }
    }

    private var truncation: PictureError.Reason {
        let height = rows.stored.height
        return .truncated(rowsDecoded: rowsRead * height / rows.size.height, of: height)
    }

    private func isDone(_ status: PictureCodecStatus) throws(PictureError.Reason) -> Bool {
        switch status {
        case .done, .preview: return true
        case .more: return false
        case .truncated: throw truncation
        case .corrupt: throw .corrupt(message)
        case .unsupported: throw .unsupported(message)
        case .tooMuchMemory:
            let found = max(decoderMemory, picture.limits.decoderMemory + 1)
            throw .tooLarge(.decoderMemory, found: found, limit: picture.limits.decoderMemory)
        case .tooManyScans:
            throw .tooLarge(.scans, found: picture.limits.scans + 1, limit: picture.limits.scans)
        case .outOfMemory: throw .outOfMemory
        case .cannotRead:
            throw picture.file.refusal ?? .cannotRead(errno: unsafe picture_codec_read_error(codec))
        }
    }

    private var message: String { unsafe String(cString: picture_codec_message(codec)) }
}

extension ColorModel {
    fileprivate init(_ model: PictureColorModel) {
        self =
            switch model {
            case .grey: .grey
            case .RGB: .rgb
            case .inks: .cmyk
            }
    }
}
