/// The description of a GIF's first frame, from the data before its pixels.
struct GIFFrame {
    /// The size of what is shown: the logical screen, enlarged to the first frame.
    private(set) var canvas: PixelSize
    /// The size of the frame.
    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var x = 0
    private(set) var y = 0
    private(set) var isInterlaced = false
    /// The colours, four bytes each as in `Picture`; indices beyond the palette are transparent.
    private(set) var palette: [UInt32]

    // Comments and profiles may precede the picture, in pieces of at most 255 bytes. The bound
    // keeps the search, which is one step of a decoder, near a millisecond; empty pieces count too.
    private static let maxPieces = 8192

    /// The reader of the file, at the frame's data.
    private(set) var window: FileWindow
    private var transparent: Int?
    private var pieces = 0

    /// Reads up to and including the descriptor of the first frame.
    init(of file: PictureFile, range: Range<Int>) throws(PictureError.Reason) {
        window = FileWindow(of: file, range: range)
        window.skip(6)
        let screen = try window.bytes(5)
        canvas = PixelSize(width: screen[..<2].littleEndian, height: screen[2..<4].littleEndian)
        window.skip(2)
        // Without a palette an index is a shade of grey, as in other decoders.
        palette = (0...255).map { Self.color($0, $0, $0) }
        if screen[4] & 0x80 != 0 { try readPalette(screen[4]) }
        try readFrame()
    }

    private mutating func readFrame() throws(PictureError.Reason) {
        while true {
            switch try window.byte() {
            case 0x21: try readExtension()
            case 0x2C: return try readDescriptor()
            case 0x3B: throw .corrupt("a GIF without a picture")
            case let block: throw .corrupt("GIF block \(String(block, radix: 16))")
            }
        }
    }

    private mutating func readDescriptor() throws(PictureError.Reason) {
        let bytes = try window.bytes(9)
        (x, y) = (bytes[..<2].littleEndian, bytes[2..<4].littleEndian)
        size = PixelSize(width: bytes[4..<6].littleEndian, height: bytes[6..<8].littleEndian)
        guard size.width > 0, size.height > 0 else {
            throw .corrupt("a GIF frame of \(size) pixels")
        }
        // As in browsers: programs write screens of any size, even zero.
        canvas = PixelSize(
            width: max(canvas.width, x + size.width), height: max(canvas.height, y + size.height))
        isInterlaced = bytes[8] & 0x40 != 0
        if bytes[8] & 0x80 != 0 { try readPalette(bytes[8]) }
        if let transparent { palette[transparent] = 0 }
    }

    private mutating func readPalette(_ flags: UInt8) throws(PictureError.Reason) {
        palette = [UInt32](repeating: 0, count: 256)
        let count = 2 << Int(flags & 7)
        let colors = try window.bytes(3 * count)
        for index in 0..<count {
            palette[index] = Self.color(
                colors[3 * index], colors[3 * index + 1], colors[3 * index + 2])
        }
    }

    /// Skips an extension, except for the transparent colour in a graphic control extension.
    private mutating func readExtension() throws(PictureError.Reason) {
        let isControl = try window.byte() == 0xF9
        while true {
            pieces += 1
            guard pieces <= Self.maxPieces else {
                throw .corrupt("too much before the GIF picture")
            }
            let length = Int(try window.byte())
            if length == 0 { return }
            guard isControl, length >= 4 else {
                window.skip(length)
                continue
            }
            let bytes = try window.bytes(4)
            transparent = bytes[0] & 1 != 0 ? Int(bytes[3]) : nil
            window.skip(length - 4)
        }
    }

    private static func color(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt32 {
        UInt32(littleEndian: 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red))
    }
}
