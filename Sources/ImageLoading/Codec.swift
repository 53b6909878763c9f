import CImageCodecs

/// One picture being decoded by libjpeg or libpng, with the bytes it is decoded from.
@safe struct Codec: ~Copyable {
    private let codec: OpaquePointer
    private let contents: FileContents
    private let format: ImageFormat
    private let limits: ImageLimits
    private var decoderMemory = 0
    private var rowsRead = 0
    /// The size of the picture as stored.
    private(set) var storedSize: PixelSize
    /// The size of the picture that the rows make: that which JPEG has scaled it to.
    private(set) var size: PixelSize

    init(
        _ contents: consuming FileContents, header: ImageHeader, limits: ImageLimits
    ) throws(ImageError.Reason) {
        let codecLimits = ImageCodecLimits(
            memory: Int64(limits.decoderMemory), scans: Int32(clamping: limits.scans),
            warnings: Int32(clamping: limits.warnings))
        let codec =
            switch header.format {
            case .jpeg: unsafe image_codec_open_jpeg(contents.bytes, contents.count, codecLimits)
            case .png: unsafe image_codec_open_png(contents.bytes, contents.count, codecLimits)
            case .webp: throw .unsupported("WebP")
            case .gif: throw .unsupported("GIF")
            }
        guard let codec = unsafe codec else { throw .outOfMemory }
        unsafe self.codec = codec
        self.contents = contents
        format = header.format
        self.limits = limits
        storedSize = header.size
        size = header.size
    }

    // The contents are freed after this: a stored property outlives the deinit of its owner.
    deinit { unsafe image_codec_close(codec) }

    /// How many pixels of the stored picture one row stands for.
    var pixelsPerRow: Int { storedSize.width * storedSize.height / size.height }

    /// Reads on in what stands before the pixels, and says whether that was all.
    mutating func readHeader() throws(ImageError.Reason) -> Bool {
        var found = ImageCodecHeader()
        guard try unsafe isDone(image_codec_read_header(codec, &found)) else { return false }
        storedSize = PixelSize(width: Int(found.width), height: Int(found.height))
        size = storedSize
        decoderMemory = Int(found.memory)
        try limits.check(storedSize)
        try limits.check(decoderMemory: decoderMemory)
        return true
    }

    /// Prepares to read rows of a picture not smaller than `target`; says whether it is ready.
    mutating func start(toFill target: PixelSize) throws(ImageError.Reason) -> Bool {
        var width: Int64 = 0
        var height: Int64 = 0
        let eighths = Int32(eighths(toFill: target))
        guard try unsafe isDone(image_codec_start(codec, eighths, &width, &height)) else {
            return false
        }
        size = PixelSize(width: Int(width), height: Int(height))
        return true
    }

    /// Decodes a little, and gives the resizer a row if that made one.
    mutating func readRow(into resizer: inout RowResizer) throws(ImageError.Reason) -> Bool {
        var row: UnsafePointer<UInt8>?
        guard try unsafe isDone(image_codec_read_row(codec, &row)) else { return false }
        resizer.add(unsafe UnsafeBufferPointer(start: row, count: 4 * size.width).span)
        rowsRead += 1
        return true
    }

    /// The smallest n for which n/8 of the picture is not smaller than `target`.
    private func eighths(toFill target: PixelSize) -> Int {
        if case .png = format { return 8 }
        for eighths in 1..<8 {
            let width = (storedSize.width * eighths + 7) / 8
            let height = (storedSize.height * eighths + 7) / 8
            if width >= target.width && height >= target.height { return eighths }
        }
        return 8
    }

    private func isDone(_ status: ImageCodecStatus) throws(ImageError.Reason) -> Bool {
        switch status {
        case .done: return true
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
        }
    }

    private var message: String { unsafe String(cString: image_codec_message(codec)) }
}
