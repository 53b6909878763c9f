internal import CLullHEIF
import ImageLoading
internal import LullLibC

/// A picture, or a tile of one, decoded by libde265 or libavif.
@safe final class DecodedTile {
    private let pixels: OpaquePointer

    init() throws(PictureError.Reason) {
        guard let pixels = unsafe heif_pixels_new() else { throw .outOfMemory }
        unsafe self.pixels = pixels
    }

    deinit { unsafe heif_pixels_free(pixels) }

    /// Decodes one picture in one go.
    ///
    /// It takes 8 ms for a tile from a phone, and 0.1 s or more for a photo without tiles.
    ///
    /// - Parameters:
    ///   - coded: An AVIF file, or NAL units of HEVC.
    ///   - alpha: The NAL units of its alpha; empty if there is none, or for AV1.
    ///   - picture: The picture that it is a tile of.
    /// - Throws: The library's error.
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
    ///   - width: The number of the tile's columns that are written.
    ///   - strip: The rows to write to, of four bytes a pixel, premultiplied.
    ///   - start: The index in the strip of the tile's first byte.
    ///   - rowBytes: The number of bytes in a row of the strip.
    ///   - isSmooth: Whether subsampled chroma is interpolated.
    /// - Throws: `unsupported` if the library doesn't support the colour format.
    func write(
        _ rows: Range<Int>, width: Int, to strip: inout PictureBuffer, at start: Int, rowBytes: Int,
        isSmooth: Bool
    ) throws(PictureError.Reason) {
        precondition(
            start + (rows.count - 1) * rowBytes + 4 * width <= strip.count,
            "a tile is written within its strip")
        let part = HEIFPart(
            first: Int32(rows.lowerBound), count: Int32(rows.count), width: Int32(width),
            is_smooth: isSmooth)
        var span = strip.mutableSpan
        try check(
            unsafe span.withUnsafeMutableBufferPointer { strip in
                unsafe heif_pixels_write(
                    pixels, part, strip.baseAddress! + start, UInt32(rowBytes))
            })
    }

    /// The damage that the library has passed over.
    var damage: PictureError.Reason? {
        let message = unsafe String(cString: heif_pixels_message(pixels))
        return message.isEmpty ? nil : .corrupt(message)
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
