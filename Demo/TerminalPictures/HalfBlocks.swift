public import ImageLoading

/// A picture as terminal text: two pixels in each character, an upper half block in two colours.
///
/// ```swift
/// let blocks = HalfBlocks(picture, fitting: CellSize(columns: 24, lines: 10))
/// for line in blocks.lines(in: .full) { print(line) }
/// ```
///
/// It works in every terminal with colours, in multiplexers, over networks and in recordings. With
/// true colour a cell takes 1 to 39 bytes, about 30 in a photo: 32 by 12 cells are 8 to 12 KB. A
/// colour that continues in the next cell isn't repeated.
public struct HalfBlocks: Equatable, Sendable {
    /// The size in pixels, two of which share a character, one above the other.
    public let size: PixelSize
    /// The colours of the pixels, row by row from the top.
    public let colors: [TerminalColor]

    /// Creates the text of a picture, in which each pixel is half a cell.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - ground: The background colour where the picture is transparent.
    public init(_ picture: Picture, over ground: TerminalColor = .black) {
        size = picture.size
        let bytes = picture.opaqueBytes(over: ground)
        colors = stride(from: 0, to: bytes.count, by: 3).map {
            TerminalColor(bytes[$0], bytes[$0 + 1], bytes[$0 + 2])
        }
    }

    /// Creates the text of a picture that is scaled down to fit in some cells; it's never scaled
    /// up.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - cells: The cells that are available.
    ///   - cellAspect: The ratio of a cell's height to its width.
    ///   - ground: The background colour where the picture is transparent.
    public init(
        _ picture: Picture, fitting cells: CellSize, cellAspect: Double = 2,
        over ground: TerminalColor = .black
    ) {
        precondition(
            cells.columns > 0 && cells.lines > 0 && cellAspect > 0 && cellAspect.isFinite,
            "a picture is fitted in cells of which there are some")
        // A pixel is half a cell; if pixels are wide, fewer of them are needed.
        let width = Double(picture.size.width) * max(1, cellAspect / 2)
        let height = Double(picture.size.height) / min(1, cellAspect / 2)
        let shape = PixelSize(
            width: max(1, Int(min(1e9, width).rounded())),
            height: max(1, Int(min(1e9, height).rounded())))
        let box = PixelSize(width: cells.columns, height: 2 * cells.lines)
        self.init(picture.averaged(to: shape.fitted(in: box)), over: ground)
    }

    /// The size in cells.
    public var cells: CellSize { CellSize(columns: size.width, lines: (size.height + 1) / 2) }

    /// Returns the lines of text without line terminators, each ended by a reset if it has colours.
    ///
    /// If the number of rows is odd, the lower half of the last line shows the terminal's own
    /// background.
    public func lines(in style: BlockColors) -> [String] {
        stride(from: 0, to: size.height, by: 2).map { row in
            var pen = BlockPen(style)
            for column in 0..<size.width {
                let upper = colors[row * size.width + column]
                let isLast = row + 1 == size.height
                pen.add(upper, isLast ? nil : colors[(row + 1) * size.width + column])
            }
            return pen.line
        }
    }
}
