/// A kind of picture file, with what decoding it takes time and memory for.
///
/// A program that brings a ``PictureDecoder`` of its own brings its format with it:
///
/// ```swift
/// let qoi = PictureFormat("QOI", "image/qoi", cost: .pixels(2), memory: .rows(1))
/// ```
public struct PictureFormat: Hashable, Sendable {
    /// The unit that the time of decoding is proportional to, with the nanoseconds that each takes on
    /// one fast machine.
    public enum Cost: Hashable, Sendable {
        /// The bytes of the file.
        case fileBytes(Double)
        /// The bytes of a file that is decoded at n/8 of its size: at 8/8, 1.6 times the cost of 1/8.
        case scaledFileBytes(Double)
        /// The bytes of the pixels before they were packed; flat pictures take a third of that.
        case rawBytes(Double)
        /// The pixels.
        case pixels(Double)
    }

    /// The memory that decoding holds at its height, besides the result.
    public enum Memory: Hashable, Sendable {
        /// So many rows of four values a pixel.
        case rows(Int)
        /// The file, and so many rows.
        case fileAndRows(Int)
        /// So many bytes for each pixel.
        case pixels(Int)
        /// The coefficients of a JPEG.
        case coefficients
    }

    /// The name that people know it by.
    public let name: String
    /// The media type, such as `image/jpeg`.
    public let mediaType: String
    /// The time that decoding takes.
    public let cost: Cost
    /// The memory that decoding takes.
    public let memory: Memory
    /// The number of pixels up to which steps are short; larger pictures belong on a worker.
    public let slicedPixels: Int
    /// Whether it can be decoded while its bytes arrive; else decoding waits for the last.
    public let decodesArriving: Bool
    /// Whether steps are so long that it's never decoded on a loop.
    public let needsWorker: Bool

    /// A kind of picture file.
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
    /// A JPEG whose rows come one after the other.
    public static let jpeg = PictureFormat(
        "JPEG", "image/jpeg", cost: .scaledFileBytes(7.5), memory: .rows(16),
        decodesArriving: true)
    /// A JPEG that comes in passes over the whole picture, whose memory takes milliseconds to free.
    public static let progressiveJPEG = PictureFormat(
        "progressive JPEG", "image/jpeg", cost: .fileBytes(31), memory: .coefficients,
        slicedPixels: 8_000_000, decodesArriving: true)
    /// A JPEG with arithmetic coding, which can't stop between two blocks.
    public static let arithmeticJPEG = PictureFormat(
        "arithmetic JPEG", "image/jpeg", cost: .fileBytes(31), memory: .coefficients,
        slicedPixels: 8_000_000)
    /// A PNG.
    public static let png = PictureFormat(
        "PNG", "image/png", cost: .rawBytes(6.6), memory: .rows(2))
    /// A PNG that comes in seven passes over the whole picture, and is resized in one go.
    public static let interlacedPNG = PictureFormat(
        "interlaced PNG", "image/png", cost: .rawBytes(6.6), memory: .pixels(4),
        slicedPixels: 4_000_000)
    /// A WebP with loss, which may be packed so that a few bytes are all its rows; of an animation the
    /// first picture.
    public static let webP = PictureFormat(
        "WebP", "image/webp", cost: .pixels(8.5), memory: .fileAndRows(32),
        slicedPixels: 3_000_000, decodesArriving: true)
    /// A WebP without loss, of which steps take milliseconds.
    public static let losslessWebP = PictureFormat(
        "lossless WebP", "image/webp", cost: .pixels(15), memory: .pixels(4), slicedPixels: 0)
    /// A GIF; of an animation the first picture.
    public static let gif = PictureFormat(
        "GIF", "image/gif", cost: .pixels(7.3), memory: .pixels(1))
}

extension PictureFormat: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
