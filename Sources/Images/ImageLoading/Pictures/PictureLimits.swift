internal import IdleLoop

/// The limits on the cost of decoding a file.
///
/// A few hundred bytes can claim to be a picture of gigabytes. The limits are checked before memory
/// is allocated.
///
/// The structures in a file are bounded too, so that no step of a decoder takes long; empty ones
/// count. Beyond these bounds the file is `corrupt`: it ends there, or its EXIF metadata is ignored.
///
/// | Structure | Bound |
/// |---|---|
/// | JPEG: segments, and bytes between them, before the pixels | 1000, and 65,536 |
/// | JPEG: segments while it is decoded | 10,000 |
/// | PNG: chunks without pixels | 1000, of which 4 KB each are read |
/// | PNG: chunks up to the EXIF metadata; after the pixels | 100; the last 65 KB, 16 places |
/// | WebP: chunks up to the picture; up to the EXIF metadata | 100, again in a frame; 1000 |
/// | GIF: extensions and their parts before the picture | 8192, of at most 255 bytes |
/// | ICC profile; its tables | 4 MB, in at most 255 parts; 560 KB |
/// | EXIF metadata | 64 KB, 3 directories of 512 entries |
///
/// | Reads of the file in one step | At most |
/// |---|---|
/// | Header of a JPEG | 2000 times, 1 MB |
/// | Header of a PNG, WebP or GIF | 1100 times, 3 MB |
/// | Rows of a JPEG; with arithmetic coding | 128 KB; 256 KB, and 256 bytes for each column |
/// | Rows of a PNG | 64 KB, 16 bytes for each column, and hidden chunks |
/// | Rows of a WebP; of a GIF | 256 KB; 12 KB |
/// | ICC profile | 64 KB |
public struct PictureLimits: Hashable, Sendable {
    /// The maximum number of bytes in the file.
    public var fileBytes: Int
    /// The maximum number of pixels, as stated in the file.
    public var pixels: Int
    /// The maximum number of bytes that a decoder keeps for a picture not decoded row by row.
    public var decoderMemory: Int
    /// The maximum number of scans in a progressive JPEG.
    public var scans: Int
    /// The maximum number of damaged places in JPEG data that are skipped; the picture ends at the
    /// next one.
    public var warnings: Int
    /// The maximum processor time of all decoding steps together.
    ///
    /// It is checked after each step, and within a step before each read of the file.
    public var time: Duration

    /// Creates limits; the defaults suit pictures from untrusted sources, and admit real photos.
    public init(
        fileBytes: Int = 64 << 20, pixels: Int = 128_000_000, decoderMemory: Int = 96_000_000,
        scans: Int = 100, warnings: Int = 1000, time: Duration = .seconds(2)
    ) {
        self.fileBytes = fileBytes
        self.pixels = pixels
        self.decoderMemory = decoderMemory
        self.scans = scans
        self.warnings = warnings
        self.time = time
    }

    func check(fileBytes found: Int) throws(PictureError.Reason) {
        try check(.bytes, found, fileBytes)
    }

    func check(_ size: PixelSize) throws(PictureError.Reason) {
        try check(pixels: size.width * size.height)
        try size.check()
    }

    package func check(pixels found: Int) throws(PictureError.Reason) {
        try check(.pixels, found, pixels)
    }

    package func check(decoderMemory found: Int) throws(PictureError.Reason) {
        try check(.decoderMemory, found, decoderMemory)
    }

    func check(_ meter: inout StepMeter) throws(PictureError.Reason) {
        guard let spent = meter.sum(above: Int(time.wholeNanoseconds)) else { return }
        throw .tooSlow(spent: .nanoseconds(spent), limit: time)
    }

    private func check(
        _ measure: PictureError.Measure, _ found: Int, _ limit: Int
    ) throws(PictureError.Reason) {
        if found > limit { throw .tooLarge(measure, found: found, limit: limit) }
    }
}

extension PixelSize {
    /// Checks that it's a valid size of a picture, with sides that the decoders support.
    package func check() throws(PictureError.Reason) {
        guard width > 0, height > 0 else { throw .corrupt("a picture of \(self) pixels") }
        guard max(width, height) <= 0xFFFF else {
            throw .unsupported("a picture of \(self) pixels")
        }
    }
}
