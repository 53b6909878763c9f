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

    private var transparent: Int?
    private var pieces = 0

    /// Reads up to and including the descriptor of the first frame, after which its data begin.
    init(of file: PictureFile, _ window: inout FileWindow) throws(PictureError.Reason) {
        window.skip(6)
        let width = try Self.number(of: file, &window)
        let height = try Self.number(of: file, &window)
        canvas = PixelSize(width: width, height: height)
        let flags = try Self.byte(of: file, &window)
        window.skip(2)
        // Without a palette an index is a shade of grey, as in other decoders.
        palette = (0...255).map { Self.color($0, $0, $0) }
        if flags & 0x80 != 0 { try readPalette(flags, of: file, &window) }
        try readFrame(of: file, &window)
    }

    private mutating func readFrame(
        of file: PictureFile, _ window: inout FileWindow
    ) throws(PictureError.Reason) {
        while true {
            switch try Self.byte(of: file, &window) {
            case 0x21: try readExtension(of: file, &window)
            case 0x2C: return try readDescriptor(of: file, &window)
            case 0x3B: throw .corrupt("a GIF without a picture")
            case let block: throw .corrupt("GIF block \(String(block, radix: 16))")
            }
        }
    }

    private mutating func readDescriptor(
        of file: PictureFile, _ window: inout FileWindow
    ) throws(PictureError.Reason) {
        x = try Self.number(of: file, &window)
        y = try Self.number(of: file, &window)
        let width = try Self.number(of: file, &window)
        size = PixelSize(width: width, height: try Self.number(of: file, &window))
        guard size.width > 0, size.height > 0 else {
            throw .corrupt("a GIF frame of \(size) pixels")
        }
        // As in browsers: programs write screens of any size, even zero.
        canvas = PixelSize(
            width: max(canvas.width, x + size.width), height: max(canvas.height, y + size.height))
        let flags = try Self.byte(of: file, &window)
        isInterlaced = flags & 0x40 != 0
        if flags & 0x80 != 0 { try readPalette(flags, of: file, &window) }
        if let transparent { palette[transparent] = 0 }
    }

    private mutating func readPalette(
        _ flags: UInt8, of file: PictureFile, _ window: inout FileWindow
    ) throws(PictureError.Reason) {
        palette = [UInt32](repeating: 0, count: 256)
        for index in 0..<(2 << Int(flags & 7)) {
            let red = try Self.byte(of: file, &window)
            let green = try Self.byte(of: file, &window)
            palette[index] = Self.color(red, green, try Self.byte(of: file, &window))
        }
    }

    /// Skips an extension, except for the transparent colour in a graphic control extension.
    private mutating func readExtension(
        of file: PictureFile, _ window: inout FileWindow
    ) throws(PictureError.Reason) {
        let isControl = try Self.byte(of: file, &window) == 0xF9
        while true {
            pieces += 1
            guard pieces <= Self.maxPieces else {
                throw .corrupt("too much before the GIF picture")
            }
            let length = Int(try Self.byte(of: file, &window))
            if length == 0 { return }
            guard isControl, length >= 4 else {
                window.skip(length)
                continue
            }
            let flags = try Self.byte(of: file, &window)
            window.skip(2)
            let index = Int(try Self.byte(of: file, &window))
            transparent = flags & 1 != 0 ? index : nil
            window.skip(length - 4)
        }
    }

    private static func color(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt32 {
        UInt32(littleEndian: 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red))
    }

    private static func number(
        of file: PictureFile, _ window: inout FileWindow
    ) throws(PictureError.Reason) -> Int {
        Int(try byte(of: file, &window)) | Int(try byte(of: file, &window)) << 8
    }

    private static func byte(
        of file: PictureFile, _ window: inout FileWindow
    ) throws(PictureError.Reason) -> UInt8 {
        guard let byte = try window.byte(of: file) else { throw .truncated(rowsDecoded: 0, of: 0) }
        return byte
    }
}
