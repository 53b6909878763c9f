/// A picture file format, with its costs of decoding in time and memory.
///
/// A program with its own ``PictureDecoder`` also defines the format:
///
/// ```swift
/// let qoi = PictureFormat("QOI", "image/qoi", cost: .pixels(2), memory: .rows(1))
/// ```
public struct PictureFormat: Hashable, Sendable {
    /// The unit that decoding time is proportional to, with nanoseconds per unit on a fast machine.
    public enum Cost: Hashable, Sendable {
        /// The bytes of the file.
        case fileBytes(Double)
        /// The bytes of a file decoded at n/8 of the picture's size; 8/8 costs 1.6 times 1/8.
        case scaledFileBytes(Double)
        /// The bytes of the uncompressed pixels; flat pictures take a third of the time.
        case rawBytes(Double)
        /// The pixels.
        case pixels(Double)
    }

    /// The peak memory of decoding, without the result.
    public enum Memory: Hashable, Sendable {
        /// A number of rows of four values a pixel.
        case rows(Int)
        /// The file, and a number of rows.
        case fileAndRows(Int)
        /// A number of bytes for each pixel.
        case pixels(Int)
        /// The coefficients of a JPEG.
        case coefficients
    }

    /// The common name.
    public let name: String
    /// The media type, such as `image/jpeg`.
    public let mediaType: String
    /// The cost of decoding in time.
    public let cost: Cost
    /// The cost of decoding in memory.
    public let memory: Memory
    /// The number of pixels up to which steps are short; larger pictures are decoded on a worker.
    public let slicedPixels: Int
    /// Whether it can be decoded while its bytes arrive; else decoding waits for the last byte.
    public let decodesArriving: Bool
    /// Whether steps are so long that it's never decoded on a loop.
    public let needsWorker: Bool

    /// Creates a format.
    public init(
        _ name: String, _ mediaType: String, cost: Cost, memory: Memory,
        slicedPixels: Int = .max, decodesArriving: Bool = false, needsWorker: Bool = false
    ) {
        self.name = name
        self.mediaType = mediaType
        self.cost = cost
        self.memory = memory
        self.slicedPixels = slicedPixels
        self.decodesArriving = decodesArriving
        self.needsWorker = needsWorker
    }
}

extension PictureFormat {
    /// A sequential JPEG, which is decoded row by row.
    public static let jpeg = PictureFormat(
        "JPEG", "image/jpeg", cost: .scaledFileBytes(7.5), memory: .rows(16),
        decodesArriving: true)
    /// A JPEG with passes over the whole picture, whose memory takes milliseconds to free.
    public static let progressiveJPEG = PictureFormat(
        "progressive JPEG", "image/jpeg", cost: .fileBytes(31), memory: .coefficients,
        slicedPixels: 8_000_000, decodesArriving: true)
    /// A JPEG with arithmetic coding, whose decoder can't pause between two blocks.
    public static let arithmeticJPEG = PictureFormat(
        "arithmetic JPEG", "image/jpeg", cost: .fileBytes(31), memory: .coefficients,
        slicedPixels: 8_000_000)
    /// A PNG.
    public static let png = PictureFormat(
        "PNG", "image/png", cost: .rawBytes(6.6), memory: .rows(2))
    /// A PNG with seven passes over the whole picture, which is resized in one go.
    public static let interlacedPNG = PictureFormat(
        "interlaced PNG", "image/png", cost: .rawBytes(6.6), memory: .pixels(4),
        slicedPixels: 4_000_000)
    /// A lossy WebP, all of whose rows may be encoded in a few bytes; of an animation, the first
    /// frame.
    public static let webP = PictureFormat(
        "WebP", "image/webp", cost: .pixels(8.5), memory: .fileAndRows(32),
        slicedPixels: 3_000_000, decodesArriving: true)
    /// A lossless WebP, of which steps take milliseconds.
    public static let losslessWebP = PictureFormat(
        "lossless WebP", "image/webp", cost: .pixels(15), memory: .pixels(4), slicedPixels: 0)
    /// A GIF; of an animation, the first frame.
    public static let gif = PictureFormat(
        "GIF", "image/gif", cost: .pixels(7.3), memory: .pixels(1))
}

extension PictureFormat: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
