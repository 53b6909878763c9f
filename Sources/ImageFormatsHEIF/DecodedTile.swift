internal import CHEIF
import ImageLoading

/// A picture, or a tile of one, that libde265 or libavif has decoded.
@safe final class DecodedTile {
    private let pixels: OpaquePointer

    init() throws(PictureError.Reason) {
        guard let pixels = unsafe heif_pixels_new() else { throw .outOfMemory }
        unsafe self.pixels = pixels
    }

    deinit { unsafe heif_pixels_free(pixels) }

    /// Decodes one picture in one go: 8 ms for a tile as telephones make them, a tenth of a second or
    /// more for a photo that isn't cut into tiles.
    ///
    /// - Parameters:
    ///   - coded: A file of AV1, or units of HEVC.
    ///   - alpha: The units of its transparency; none if it has none, or is AV1.
    ///   - picture: What it is a tile of.
    /// - Throws: What the library says of it.
    func decode(
        _ coded: [UInt8], alpha: [UInt8], of picture: HEIFPicture
    ) throws(PictureError.Reason) {
        let image = picture.image
        let code = picture.color.code
        let expectation = HEIFExpectation(
            width: Int32(image.tileSize.width), height: Int32(image.tileSize.height),
            is_av1: image.isAV1, is_premultiplied: picture.isPremultiplied,
            matrix: Int32(code?.matrix ?? -1), primaries: Int32(code?.primaries ?? -1),
            is_full_range: code?.isFullRange ?? true)
        try check(
            unsafe coded.withUnsafeBufferPointer { coded in
                unsafe alpha.withUnsafeBufferPointer { alpha in
                    unsafe heif_pixels_decode(
                        pixels, HEIFBytes(bytes: coded.baseAddress, count: coded.count),
                        HEIFBytes(
                            bytes: alpha.isEmpty ? nil : alpha.baseAddress, count: alpha.count),
                        expectation)
                }
            })
    }

    /// Writes a part of each of some rows into a larger strip.
    ///
    /// - Parameters:
    ///   - rows: The tile's rows; the first is an even one.
    ///   - width: How many of the tile's columns are written.
    ///   - strip: Rows of four bytes a pixel, premultiplied.
    ///   - start: Where in the strip the tile's first byte belongs.
    ///   - rowBytes: The bytes of a row of the strip.
    ///   - isSmooth: Whether colours stored at half the resolution are interpolated.
    /// - Throws: That the library doesn't know this kind of colours.
    func write(
        _ rows: Range<Int>, width: Int, to strip: inout [UInt8], at start: Int, rowBytes: Int,
        isSmooth: Bool
    ) throws(PictureError.Reason) {
        precondition(
            start + (rows.count - 1) * rowBytes + 4 * width <= strip.count,
            "a tile is written within its strip")
        let part = HEIFPart(
            first: Int32(rows.lowerBound), count: Int32(rows.count), width: Int32(width),
            is_smooth: isSmooth)
        try check(
            unsafe strip.withUnsafeMutableBufferPointer { strip in
                unsafe heif_pixels_write(
                    pixels, part, strip.baseAddress! + start, UInt32(rowBytes))
            })
    }

    private func check(_ status: HEIFStatus) throws(PictureError.Reason) {
        switch status {
        case .done: return
        case .corrupt: throw .corrupt(unsafe String(cString: heif_pixels_message(pixels)))
        case .unsupported: throw .unsupported(unsafe String(cString: heif_pixels_message(pixels)))
        case .outOfMemory: throw .outOfMemory
        }
    }
}
