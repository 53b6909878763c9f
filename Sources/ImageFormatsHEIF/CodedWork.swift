import ImageLoading

/// Looks at what an item's bytes hold before a decoder does, which can't be interrupted.
///
/// The items of a still picture hold one picture, coded in one piece or a few. Nothing else would
/// stop bytes that hold thousands of pictures, or a larger one than the file says.
struct CodedWork {
    /// How many times over the pixels of a picture may be decoded, as pieces may overlap.
    private static let maxWork = 8

    private let limit: Int
    private var pixels = 0

    init(_ picture: HEIFPicture, limits: PictureLimits) throws(PictureError.Reason) {
        limit = Self.maxWork * limits.pixels
        if picture.image.isAV1 { return }
        try HEVCParameters.check(picture.image)
        if let alpha = picture.alpha { try HEVCParameters.check(alpha) }
    }

    /// Checks the bytes of the next item, of a picture or of its transparency.
    mutating func check(
        _ bytes: ArraySlice<UInt8>, of image: CodedImage
    ) throws(PictureError.Reason) {
        let pieces =
            try image.isAV1
            ? Self.frames(bytes)
            : Self.slices(bytes, lengthSize: 1 + Int(image.configuration[21] & 3))
        pixels += pieces * image.tileSize.width * image.tileSize.height
        guard pixels <= limit else { throw .tooLarge(.pixels, found: pixels, limit: limit) }
    }

    /// How many slices of HEVC there are: units that bear their length each.
    private static func slices(
        _ bytes: ArraySlice<UInt8>, lengthSize: Int
    ) throws(PictureError.Reason) -> Int {
        var reader = BoxReader(bytes)
        var (slices, pictures) = (0, 0)
        while !reader.rest.isEmpty {
            let length = try reader.number(lengthSize)
            let unit = try reader.bytes(length)
            guard unit.count > 2 else { throw .corrupt("a unit of \(unit.count) bytes") }
            switch unit[unit.startIndex] >> 1 & 0x3F {
            case 0..<32:
                slices += 1
                pictures += unit[unit.startIndex + 2] & 0x80 == 0 ? 0 : 1
            case 32...34: throw .unsupported("parameters among the pixels")
            default: break
            }
        }
        guard pictures == 1 else { throw .corrupt("\(pictures) pictures in one item") }
        return slices
    }

    /// How many frames of AV1 there are: some pictures come in a few layers.
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
            // A frame, or the head of one whose pixels follow.
            if [3, 6].contains(head >> 3 & 15) { frames += 1 }
        }
        guard 1...8 ~= frames else { throw .corrupt("\(frames) frames in one item") }
        return frames
    }
}
