/// The place and size of the first frame in a WebP file, from the chunks before its pixels.
///
/// A file is a list of chunks, each with a name and a length. The frame's data are in the list
/// itself, or, in an animation, in the list inside the first `ANMF` chunk.
struct WebPFrame {
    /// The size of the canvas, which is what is shown.
    private(set) var canvas = PixelSize(width: 0, height: 0)
    /// The size of the frame, and its place on the canvas.
    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var x = 0
    private(set) var y = 0
    private(set) var isLossless = false
    /// Whether lossy colours have an alpha channel beside them.
    private(set) var hasAlphaPlane = false
    /// Whether any pixel may be transparent, according to the file.
    private(set) var hasAlpha = false
    /// The range of the chunks that a decoder needs, at most to the end of the file.
    private(set) var data = 0..<0

    // A colour profile and a few small chunks may precede the picture.
    private static let maxChunks = 100

    /// Finds the first frame of a file, or of a part of one.
    init(of file: PictureFile, range: Range<Int>) throws(PictureError.Reason) {
        var walk = WebPChunks(of: file, range: range.dropFirst(12))
        var isExtended = false
        for _ in 0..<Self.maxChunks {
            let chunk = try walk.next()
            switch chunk.name {
            case "VP8X":
                let bytes = try walk.bytes(of: chunk, count: 10)
                isExtended = true
                canvas = PixelSize(
                    width: 1 + bytes[4..<7].littleEndian, height: 1 + bytes[7..<10].littleEndian)
            case "ANMF":
                guard isExtended else { throw .corrupt("a WebP animation without a canvas") }
                let bytes = try walk.bytes(of: chunk, count: 16)
                x = 2 * bytes[0..<3].littleEndian
                y = 2 * bytes[3..<6].littleEndian
                let stated = PixelSize(
                    width: 1 + bytes[6..<9].littleEndian, height: 1 + bytes[9..<12].littleEndian)
                walk = WebPChunks(
                    of: file, range: chunk.content.dropFirst(16).clamped(to: range))
                try findData(&walk)
                guard size == stated else {
                    throw .corrupt("a WebP frame of \(size) pixels that says it has \(stated)")
                }
                guard x + size.width <= canvas.width, y + size.height <= canvas.height else {
                    throw .corrupt("a WebP frame beyond its canvas")
                }
                hasAlpha = hasAlpha || size != canvas
                return
            case "ALPH", "VP8 ", "VP8L":
                walk.stepBack(to: chunk)
                try findData(&walk)
                if !isExtended { canvas = size }
                guard size == canvas else {
                    throw .corrupt("a WebP picture of \(size) pixels on a canvas of \(canvas)")
                }
                return
            default: break
            }
        }
        throw .corrupt("too many chunks before the WebP picture")
    }

    /// Finds the chunks of one frame: that of its colours, after that of its alpha if there is one.
    private mutating func findData(_ walk: inout WebPChunks) throws(PictureError.Reason) {
        var start: Int?
        for _ in 0..<Self.maxChunks {
            let chunk = try walk.next()
            switch chunk.name {
            case "ALPH":
                start = start ?? chunk.start
                hasAlphaPlane = true
                hasAlpha = true
            case "VP8 ":
                let bytes = try walk.bytes(of: chunk, count: 10)
                guard bytes[0] & 1 == 0, bytes[3..<6] == [0x9D, 0x01, 0x2A] else {
                    throw .corrupt("WebP data that do not begin with a picture")
                }
                size = PixelSize(
                    width: bytes[6..<8].littleEndian & 0x3FFF,
                    height: bytes[8..<10].littleEndian & 0x3FFF)
                guard size.width > 0, size.height > 0 else {
                    throw .corrupt("a WebP picture of \(size) pixels")
                }
                data = (start ?? chunk.start)..<chunk.content.upperBound
                return
            case "VP8L":
                let bytes = try walk.bytes(of: chunk, count: 5)
                guard bytes[0] == 0x2F else { throw .corrupt("lossless WebP without its mark") }
                let bits = bytes[1..<5].littleEndian
                size = PixelSize(width: 1 + bits & 0x3FFF, height: 1 + bits >> 14 & 0x3FFF)
                isLossless = true
                hasAlphaPlane = false
                hasAlpha = bits >> 28 & 1 == 1
                data = chunk.start..<chunk.content.upperBound
                return
            default: break
            }
        }
        throw .corrupt("too many chunks before the WebP picture")
    }
}
