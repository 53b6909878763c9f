import ImageLoading

/// A check of an item's bytes before they are decoded, which can't be interrupted.
///
/// The items of a still picture hold one picture, coded in one piece or a few. Without this check,
/// an item could hold thousands of pictures, or a larger one than the file states.
struct DecoderCost {
    /// The maximum number of times that a picture's pixels are decoded, as pieces may overlap.
    private static let maxWork = 8
    /// The maximum number of pictures that HEVC may refer to.
    ///
    /// The decoder allocates memory for each of them that is missing.
    private static let maxReferences = 16

    private let limits: PictureLimits
    private var pixels = 0

    init(limits: PictureLimits) { self.limits = limits }

    /// Adds frames of AV1, or slices of HEVC, of a tile of the given size.
    private mutating func add(_ pieces: Int, _ size: PixelSize) throws(PictureError.Reason) {
        pixels += pieces * size.width * size.height
        let limit = Self.maxWork * limits.pixels
        guard pixels <= limit else { throw .tooLarge(.pixels, found: pixels, limit: limit) }
    }

    /// Checks an item of AV1.
    mutating func checkAV1(
        _ bytes: ArraySlice<UInt8>, _ size: PixelSize
    ) throws(PictureError.Reason) {
        try add(Self.frames(bytes), size)
    }

    /// Checks an item of HEVC.
    ///
    /// - Returns: Its NAL units, each after four bytes of its length.
    mutating func checkHEVC(
        _ bytes: [UInt8], of image: CodedImage
    ) throws(PictureError.Reason) -> [UInt8] {
        let lengthSize = 1 + Int(image.configuration[21] & 3)
        var reader = BoxReader(bytes[...])
        var units: [UInt8] = []
        var (slices, pictures) = (0, 0)
        while !reader.rest.isEmpty {
            let length = try reader.number(lengthSize)
            let unit = try reader.bytes(length)
            guard unit.count > 2 else { throw .corrupt("a unit of \(unit.count) bytes") }
            let type = unit[unit.startIndex] >> 1 & 0x3F
            switch type {
            case 19...21:
                // The first two types don't refer to other pictures.
                if type == 21 {
                    try limits.check(decoderMemory: (1 + Self.maxReferences) * image.tileMemory)
                }
                slices += 1
                pictures += unit[unit.startIndex + 2] & 0x80 == 0 ? 0 : 1
            case 0..<32: throw .unsupported("HEVC that needs other pictures")
            case 32...34: throw .unsupported("parameters among the pixels")
            default: continue
            }
            for shift in [24, 16, 8, 0] { units.append(UInt8(length >> shift & 0xFF)) }
            units += unit
        }
        guard pictures == 1 else { throw .corrupt("\(pictures) pictures in one item") }
        try add(slices, image.tileSize)
        return units
    }

    /// Returns the number of frames of AV1; some pictures have a few layers.
    private static func frames(_ bytes: ArraySlice<UInt8>) throws(PictureError.Reason) -> Int {
        var reader = BoxReader(bytes)
        var frames = 0
        while !reader.rest.isEmpty {
            let head = try reader.number(1)
            if head & 4 != 0 { _ = try reader.number(1) }
            var length = reader.rest.count
            if head & 2 != 0 {
                length = 0
                for index in 0..<8 {
                    let byte = try reader.number(1)
                    length |= (byte & 0x7F) << (7 * index)
                    if byte & 0x80 == 0 { break }
                }
            }
            _ = try reader.bytes(length)
            // A frame, or the header of one whose pixels follow.
            if [3, 6].contains(head >> 3 & 15) { frames += 1 }
        }
        guard 1...8 ~= frames else { throw .corrupt("\(frames) frames in one item") }
        return frames
    }
}
