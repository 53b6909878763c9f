/// Decodes the first picture of a GIF, row by row as it is shown on its screen.
struct GIFDecoder: RowReader {
    let frame: GIFFrame
    private let lines: Interlacing
    private var data: LZWDecoder
    /// The line being filled, and how far it is.
    private var line: [UInt8]
    private var column = 0
    private var linesDecoded = 0
    /// All lines of an interlaced frame, each in the place where it's shown once it has come.
    private var stored: [[UInt8]] = []
    /// The colours of a row, each the four bytes of a pixel.
    private var row: [UInt32]
    private var rowsGiven = 0

    /// A decoder that has read what stands before the pixels.
    init(
        _ file: PictureFile, range: Range<Int>, limits: PictureLimits
    ) throws(PictureError.Reason) {
        var window = FileWindow()
        window.skip(range.lowerBound)
        var frame = try GIFFrame(screenOf: file, &window)
        try frame.readFrame(of: file, &window)
        try limits.check(frame.canvas)
        try limits.check(frame.size)
        guard max(frame.canvas.width, frame.canvas.height) <= 0xFFFF else {
            throw .unsupported("a GIF of \(frame.canvas) pixels")
        }
        guard let valueBits = try window.byte(of: file) else {
            throw .truncated(rowsDecoded: 0, of: frame.canvas.height)
        }
        self.frame = frame
        lines = Interlacing(height: frame.size.height)
        data = try LZWDecoder(GIFBlocks(of: file, window), valueBits: Int(valueBits))
        line = [UInt8](repeating: 0, count: frame.size.width)
        row = [UInt32](repeating: 0, count: frame.canvas.width)
        guard frame.isInterlaced else { return }
        try limits.check(decoderMemory: frame.size.width * frame.size.height)
        stored = [[UInt8]](repeating: [], count: frame.size.height)
    }

    var pixelsPerRow: Int { max(frame.canvas.width, frame.size.width) }

    /// Decodes a little, and gives the resizer a row if that made one.
    mutating func readRow(into resizer: inout RowResizer) throws(PictureError.Reason) -> Bool {
        let y = rowsGiven - frame.y
        if y < 0 || y >= frame.size.height {
            clearRow()
        } else if frame.isInterlaced {
            guard linesDecoded == frame.size.height else {
                if try decodeLine() { store() }
                return false
            }
            draw(stored[y])
        } else {
            guard try decodeLine() else { return false }
            linesDecoded += 1
            draw(line)
        }
        unsafe row.withUnsafeBytes { row in
            resizer.add(unsafe row.assumingMemoryBound(to: UInt8.self).span)
        }
        rowsGiven += 1
        return true
    }

    /// Decodes on in a line, and says whether it is complete.
    private mutating func decodeLine() throws(PictureError.Reason) -> Bool {
        switch try data.fill(&line, from: &column) {
        case .more: return false
        case .ended: throw .truncated(rowsDecoded: rowsGiven, of: frame.canvas.height)
        case .full:
            column = 0
            return true
        }
    }

    private mutating func store() {
        stored[lines.row(ofLine: linesDecoded)] = line
        linesDecoded += 1
    }

    private mutating func clearRow() {
        for index in row.indices { row[index] = 0 }
    }

    /// Makes a row of colours from indices, as far as they lie on the screen.
    private mutating func draw(_ indices: [UInt8]) {
        let count = max(0, min(frame.size.width, frame.canvas.width - frame.x))
        let colors = frame.palette
        let indices = indices.span.extracting(first: count)
        Self.draw(indices, colors.span, to: &row, at: frame.x)
    }

    private static func draw(
        _ indices: Span<UInt8>, _ colors: Span<UInt32>, to row: inout [UInt32], at x: Int
    ) {
        var row = row.mutableSpan
        for index in indices.indices { row[x + index] = colors[Int(indices[index])] }
    }
}
