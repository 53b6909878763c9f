@testable import ImageFormatsHEIF
@testable import ImageLoading
import Testing

extension PictureDecoders {
    static let withHEIF = PictureDecoders.standard + [HEIFDecoder.self]
}

extension PixelSize {
    /// A target size in which all pictures of these tests keep their size.
    static let ample = PixelSize(width: 10_000, height: 10_000)
}

/// A file of bytes.
func testFile(_ bytes: [UInt8]) throws(PictureError.Reason) -> PictureFile {
    try PictureOrigin.bytes(bytes).open(PictureLimits())
}

/// What the boxes of a file say of its picture.
func boxes(of bytes: [UInt8]) throws(PictureError.Reason) -> HEIFPicture {
    let file = try HEIFFile(testFile(bytes))
    return try HEIFPicture(file.table.primary, of: file)
}

/// A job for a file of bytes, at full size without a target size.
func job(
    _ bytes: [UInt8], fitting targetSize: PixelSize = .ample,
    limits: PictureLimits = PictureLimits()
) -> PictureJob {
    var options = PictureJob.Options()
    options.decoders = .withHEIF
    return PictureJob(
        .bytes(bytes), named: "bytes", fitting: targetSize, limits: limits, options: options)
}

/// Decodes a file of bytes at its full size, without a target size.
func decode(
    _ bytes: [UInt8], fitting targetSize: PixelSize = .ample,
    limits: PictureLimits = PictureLimits()
) throws(PictureError.Reason) -> Picture {
    do throws(PictureError) {
        return try job(bytes, fitting: targetSize, limits: limits).decode()
    } catch { throw error.reason }
}

/// The file of a picture whose numbers for its colours become those of Display P3.
func displayP3(_ bytes: [UInt8]) throws -> [UInt8] {
    let mark = Array("colrnclx".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
    var bytes = bytes
    bytes[place + 9] = 12
    return bytes
}
