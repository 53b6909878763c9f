/// A decoder of the first frame of a GIF, row by row on its logical screen.
final class GIFDecoder: PictureDecoder {
    static let signatures: [[UInt8?]] = [[UInt8?]("GIF87a"), [UInt8?]("GIF89a")]

    private let frame: GIFFrame
    /// The rows of an interlaced frame in the order of its lines.
    private let order: [Int]
    private var data: LZWDecoder
    /// The line being filled, and the decoded start of the next one.
    private var line: [UInt8]
    private var valueCount = 0
    private var linesDecoded = 0
    /// All lines of an interlaced frame, as they were decoded, and those of its rows.
    private var stored = PictureBuffer()
    private var lines: [Int?] = []
    /// The colours of a row, each the four bytes of a pixel.
    private var row: [UInt32]
    private var rowsGiven = 0
    private(set) var damage: PictureError.Reason?

    /// Reads the size of the screen and of the first frame.
    static func header(of file: PictureFile) throws(PictureError.Reason) -> PictureHeader {
        let frame = try GIFFrame(of: file, range: 0..<file.byteCount)
        return PictureHeader(
            format: .gif, size: frame.canvas, fileBytes: file.byteCount, channels: 1,
            bytesPerSample: 1)
    }

    /// Creates a decoder, and reads the data before the pixels.
    init(_ picture: EncodedPicture) throws(PictureError.Reason) {
        let frame = try GIFFrame(of: picture.file, range: picture.range)
        try picture.limits.check(frame.canvas)
        var window = frame.window
        guard let valueBits = try window.nextByte() else {
            throw .truncated(rowsDecoded: 0, of: frame.canvas.height)
        }
        self.frame = frame
        let height = frame.isInterlaced ? frame.size.height : 0
        order = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
            Array(stride(from: first, to: height, by: step))
        }
        data = try LZWDecoder(GIFBlocks(window), valueBits: Int(valueBits))
        line = [UInt8](repeating: 0, count: frame.size.width + LZWDecoder.overhang)
        row = [UInt32](repeating: 0, count: frame.canvas.width)
        guard frame.isInterlaced else { return }
        try picture.limits.check(decoderMemory: frame.size.width * frame.size.height)
        stored = PictureBuffer(capacity: frame.size.width * frame.size.height)
        lines = [Int?](repeating: nil, count: frame.size.height)
    }

    func prepare(for targetSize: PixelSize) -> PictureRows? {
        PictureRows(
            stored: frame.canvas, size: frame.canvas, channels: 4,
            pixelsPerRow: frame.canvas.width)
    }

    func readRow(into resizer: inout RowResizer) throws(PictureError.Reason) -> Bool {
        let y = rowsGiven - frame.y
        if frame.isInterlaced, linesDecoded < frame.size.height, damage == nil {
            try store()
            return false
        }
        if y < 0 || y >= frame.size.height {
            for index in row.indices { row[index] = 0 }
        } else if frame.isInterlaced {
            guard let line = lines[y] else { throw damage ?? .corrupt("a GIF without a line") }
            let stored = stored
            draw(stored.span.extracting(droppingFirst: line * frame.size.width))
        } else {
            guard try fillLine() else { return false }
            let line = line
            draw(line.span)
            endLine()
        }
        unsafe row.withUnsafeBytes { row in
            resizer.add(unsafe row.assumingMemoryBound(to: UInt8.self).span)
        }
        rowsGiven += 1
        return true
    }

    /// Decodes a part of an interlaced frame.
    ///
    /// After damage, the lines of the passes that haven't come are like those above them.
    private func store() throws(PictureError.Reason) {
        do throws(PictureError.Reason) {
            guard try fillLine() else { return }
            lines[order[linesDecoded]] = linesDecoded
            stored.append(line.span.extracting(first: frame.size.width))
            endLine()
        } catch {
            guard error.isOfFile, linesDecoded > 0 else { throw error }
            damage = error
            let firstPass = (frame.size.height + 7) / 8
            let end = linesDecoded < firstPass ? 8 * linesDecoded : frame.size.height
            for y in 1..<max(1, end) where lines[y] == nil { lines[y] = lines[y - 1] }
        }
    }

    /// Decodes a part of a line; returns whether it is complete.
    private func fillLine() throws(PictureError.Reason) -> Bool {
        switch try data.fill(&line, &valueCount, to: frame.size.width) {
        case .more: return false
        case .ended: throw .truncated(rowsDecoded: rowsGiven, of: frame.canvas.height)
        case .full: return true
        }
    }

    /// Begins the next line with the values beyond the end of this one.
    private func endLine() {
        linesDecoded += 1
        valueCount -= frame.size.width
        for index in 0..<valueCount { line[index] = line[index + frame.size.width] }
    }

    /// Converts indices to a row of colours.
    private func draw(_ indices: Span<UInt8>) {
        let colors = frame.palette
        let indices = indices.extracting(first: frame.size.width)
        Self.draw(indices, colors.span, to: &row, at: frame.x)
    }

    private static func draw(
        _ indices: Span<UInt8>, _ colors: Span<UInt32>, to row: inout [UInt32], at x: Int
    ) {
        var row = row.mutableSpan
        for index in indices.indices { row[x + index] = colors[Int(indices[index])] }
    }
}
