/// What the first bytes of a picture file tell, without decoding it.
///
/// ```swift
/// let header = try PictureHeader.read("photos/a.jpg")
/// if header.estimatedCost < .milliseconds(2) { … }
/// ```
public struct PictureHeader: Hashable, Sendable {
    /// The kind of file.
    public let format: PictureFormat
    /// The size of the picture as stored.
    public let size: PixelSize
    /// The length of the file.
    public let fileBytes: Int
    /// The values stored for each pixel: 1 for grey or for an index into a palette, up to 4.
    public let channels: Int
    /// The bytes of each such value: 2 above 8 bits, else 1.
    public let bytesPerSample: Int
    /// How the picture has to be turned to be upright.
    public let orientation: PictureOrientation
    /// The small copy of the picture that the file holds beside it, if there is one.
    public let embeddedThumbnail: EmbeddedThumbnail?

    /// What is known of a picture.
    public init(
        format: PictureFormat, size: PixelSize, fileBytes: Int, channels: Int, bytesPerSample: Int,
        orientation: PictureOrientation = .upright, embeddedThumbnail: EmbeddedThumbnail? = nil
    ) {
        self.format = format
        self.size = size
        self.fileBytes = fileBytes
        self.channels = channels
        self.bytesPerSample = bytesPerSample
        self.orientation = orientation
        self.embeddedThumbnail = embeddedThumbnail
    }

    /// The size of the picture once it is upright.
    public var orientedSize: PixelSize { orientation.stored(size) }

    /// Whether the thumbnail in the file can stand for its picture in a box.
    ///
    /// It must have as many pixels as the picture would get there, and the picture's shape. Whether
    /// it can be decoded, only decoding shows.
    public func isServedByThumbnail(fitting box: PixelSize) -> Bool {
        guard let embeddedThumbnail, embeddedThumbnail.isPlausible(for: size) else { return false }
        let target = size.fitted(in: orientation.stored(box))
        return target.width <= embeddedThumbnail.size.width
            && target.height <= embeddedThumbnail.size.height
    }

    /// The time that decoding to a thumbnail will take, roughly.
    ///
    /// JPEG costs by the byte of the file, PNG by the byte of its pixels. The rates were measured
    /// on one fast desktop processor: use the cost to put pictures in order, or scale it by what
    /// the first ones really took.
    public var estimatedCost: Duration {
        switch format {
        case .jpeg(progressive: false): .nanoseconds(8 * fileBytes)
        case .jpeg(progressive: true): .nanoseconds(31 * fileBytes)
        case .png:
            .nanoseconds(Int64(min(1e18, 6.6 * rawBytes)))
        case .webp(lossless: false): .nanoseconds(Int64(8.5 * pixels))
        case .webp(lossless: true): .nanoseconds(Int64(15 * pixels))
        case .gif: .nanoseconds(Int64(7.3 * pixels))
        }
    }

    /// Reads the header of a file: a few small reads, however large the file is.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limits: What the file may be at most.
    /// - Returns: What the file says of its picture.
    /// - Throws: Why the file cannot be decoded, as far as its header shows.
    public static func read(
        _ path: String, limits: PictureLimits = PictureLimits()
    ) throws(PictureError) -> PictureHeader {
        try read(.path(path), named: path, limits: limits)
    }

    /// Reads the header of a file that is open for reading; its position is neither used nor moved.
    ///
    /// - Parameters:
    ///   - descriptor: The file. The caller closes it.
    ///   - name: What errors call it.
    ///   - limits: What the file may be at most.
    /// - Returns: What the file says of its picture.
    /// - Throws: Why the file cannot be decoded, as far as its header shows.
    public static func read(
        descriptor: Int32, named name: String, limits: PictureLimits = PictureLimits()
    ) throws(PictureError) -> PictureHeader {
        try read(.descriptor(descriptor), named: name, limits: limits)
    }

    /// Reads the header of what may change meanwhile, which is an error then, as for a decoder.
    static func read(
        _ input: PictureInput, named name: String, limits: PictureLimits
    ) throws(PictureError) -> PictureHeader {
        var file: PictureFile?
        do throws(PictureError.Reason) {
            let opened = try PictureFile(input, limits: limits)
            file = opened
            let header = try PictureHeader(of: opened, limits: limits)
            guard opened.change == nil else { throw .changedWhileRead }
            return header
        } catch {
            throw PictureError(file: name, reason: file?.told(error) ?? error)
        }
    }

    init(of file: PictureFile, limits: PictureLimits) throws(PictureError.Reason) {
        let head = try FileWindow.bytes(of: file, at: 0, count: Signature.length)
        switch Signature(head) {
        case .jpeg:
            self = try JPEGHeaderReader.header(of: file, in: 0..<file.byteCount, readsEXIF: true)
        case .png:
            self = try PNGHeaderReader.header(of: file)
                .described(by: PNGChunkWalker.exif(of: file), in: file)
        case .webp:
            self = try WebPHeaderReader.header(of: file)
                .described(by: WebPChunkWalker.exif(of: file), in: file)
        case .gif: self = try GIFHeaderReader.header(of: file)
        case .incomplete: throw .truncated(rowsDecoded: 0, of: 0)
        case .other(let kind): throw .unsupported(kind)
        }
        guard size.width > 0, size.height > 0 else { throw .corrupt("a picture of \(size) pixels") }
        try limits.check(size)
        guard max(size.width, size.height) <= 0xFFFF else {
            throw .unsupported("a picture of \(size) pixels")
        }
    }

    /// The same with what the EXIF notes in a part of the file say of the picture.
    func described(by notes: Range<Int>?, in file: PictureFile) -> PictureHeader {
        guard let notes else { return self }
        let exif = FileEXIF(of: file, in: notes)
        return PictureHeader(
            format: format, size: size, fileBytes: fileBytes, channels: channels,
            bytesPerSample: bytesPerSample, orientation: exif.orientation,
            embeddedThumbnail: exif.thumbnail)
    }

    private var pixels: Double { Double(size.width) * Double(size.height) }

    private var rawBytes: Double { pixels * Double(channels * bytesPerSample) }
}
