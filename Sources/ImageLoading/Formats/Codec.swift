import CPictureCodecs

/// One picture being decoded by libjpeg, libpng or libwebp, from the file that it holds on to.
@safe struct Codec: RowReader, ~Copyable {
    private let codec: OpaquePointer
    private let file: PictureFile
    private let limits: PictureLimits
    private var decoderMemory = 0
    private var rowsRead = 0
    /// The size of the picture as stored.
    private(set) var storedSize: PixelSize
    /// The size of the picture that the rows make: that to which it is scaled while decoding.
    private(set) var size: PixelSize
    /// The values of each pixel of the rows: 3 where all is opaque, else 4.
    private(set) var channels = 4
    /// Whether the last row was one of a first picture, after which the rows begin anew.
    private(set) var isPreview = false

    init(
        _ file: PictureFile, range: Range<Int>, header: PictureHeader, limits: PictureLimits
    ) throws(PictureError.Reason) {
        let codec: OpaquePointer?
        let codecLimits = PictureCodecLimits(limits)
        switch header.format {
        case .jpeg:
            let source = unsafe PictureCodecSource(file, range: range)
            unsafe codec = unsafe picture_codec_open_jpeg(source, codecLimits)
        case .png:
            let source = unsafe PictureCodecSource(file, range: range)
            unsafe codec = unsafe picture_codec_open_png(source, codecLimits)
        case .webp:
            let frame = try WebPFrame(of: file, range: range)
            let source = unsafe PictureCodecSource(file, range: frame.data)
            unsafe codec = unsafe picture_codec_open_webp(
                source, PictureCodecFrame(frame), codecLimits)
        case .gif: throw .unsupported("GIF that is not read by its own reader")
        }
        guard let codec = unsafe codec else { throw .outOfMemory }
        unsafe self.codec = codec
        self.file = file
        self.limits = limits
        storedSize = header.size
        size = header.size
    }

    deinit { unsafe picture_codec_close(codec) }

    /// How many pixels of the stored picture one row stands for.
    var pixelsPerRow: Int { storedSize.width * storedSize.height / size.height }

    /// Reads on in what stands before the pixels, and says whether that was all.
    mutating func readHeader() throws(PictureError.Reason) -> Bool {
        var found = PictureCodecHeader()
        guard try unsafe isDone(picture_codec_read_header(codec, &found)) else { return false }
        storedSize = PixelSize(width: Int(found.width), height: Int(found.height))
        size = storedSize
        // The file may have changed since its size was looked at first.
        guard max(size.width, size.height) <= 0xFFFF else {
            throw .unsupported("a picture of \(size) pixels")
        }
        decoderMemory = Int(found.memory)
        try limits.check(storedSize)
        try limits.check(decoderMemory: decoderMemory)
        return true
    }

    /// Prepares to read rows of a picture not smaller than `target`; says whether it is ready.
    mutating func start(
        toFill target: PixelSize, previews: Bool
    ) throws(PictureError.Reason) -> Bool {
        var rows = PictureCodecRows()
        let target = PictureCodecTarget(
            width: Int64(target.width), height: Int64(target.height), previews: previews)
        guard try unsafe isDone(picture_codec_start(codec, target, &rows)) else {
            return false
        }
        size = PixelSize(width: Int(rows.width), height: Int(rows.height))
        channels = Int(rows.channels)
        return true
    }

    /// Decodes a little, and gives the resizer a row if that made one.
    mutating func readRow(into resizer: inout RowResizer) throws(PictureError.Reason) -> Bool {
        var row: UnsafePointer<UInt8>?
        let status = unsafe picture_codec_read_row(codec, &row)
        guard try isDone(status) else { return false }
        isPreview = status == .preview
        resizer.add(unsafe UnsafeBufferPointer(start: row, count: channels * size.width).span)
        rowsRead = isPreview ? 0 : rowsRead + 1
        return true
    }

    private func isDone(_ status: PictureCodecStatus) throws(PictureError.Reason) -> Bool {
        switch status {
        case .done, .preview: return true
        case .more: return false
        case .truncated:
            let rows = rowsRead * storedSize.height / size.height
            throw .truncated(rowsDecoded: rows, of: storedSize.height)
        case .corrupt: throw .corrupt(message)
        case .unsupported: throw .unsupported(message)
        case .tooMuchMemory:
            let found = max(decoderMemory, limits.decoderMemory + 1)
            throw .tooLarge(.decoderMemory, found: found, limit: limits.decoderMemory)
        case .tooManyScans:
            throw .tooLarge(.scans, found: limits.scans + 1, limit: limits.scans)
        case .outOfMemory: throw .outOfMemory
        case .cannotRead:
            throw file.refusal ?? .cannotRead(errno: unsafe picture_codec_read_error(codec))
        }
    }

    private var message: String { unsafe String(cString: picture_codec_message(codec)) }
}
