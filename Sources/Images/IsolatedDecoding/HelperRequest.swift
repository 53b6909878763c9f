import IdleLoop
import ImageLoading

/// A request to a helper; the picture's file is sent with it, as a descriptor.
///
/// Before the first request, a message is sent with the magic number and the bytes of memory that
/// the helper may use, and with it the file for the pixels of its pictures.
struct HelperRequest: Equatable {
    /// The magic number of this protocol: "LPH" and its version.
    static let mark: Int64 = 0x4C_5048_0004

    /// The number that the reply must repeat.
    var id: Int64
    /// The size that the picture is scaled down to fit.
    var targetSize: PixelSize
    /// The limits on the cost of decoding the file.
    var limits: PictureLimits
}

extension HelperRequest {
    init?(_ message: Message) {
        let numbers = message.numbers
        guard numbers[0] == Self.mark else { return nil }
        id = numbers[1]
        targetSize = PixelSize(width: Int(numbers[2]), height: Int(numbers[3]))
        limits = PictureLimits(
            fileBytes: Int(numbers[4]), pixels: Int(numbers[5]), decoderMemory: Int(numbers[6]),
            scans: Int(numbers[7]), warnings: Int(numbers[8]), time: .nanoseconds(numbers[9]))
    }

    var message: Message {
        Message([
            Self.mark, id, Int64(targetSize.width), Int64(targetSize.height),
            Int64(limits.fileBytes),
            Int64(limits.pixels), Int64(limits.decoderMemory), Int64(limits.scans),
            Int64(limits.warnings), limits.time.wholeNanoseconds,
        ])
    }
}
