public import ImageLoading

/// A picture as a terminal's text: two pixels to a character, the upper half block in two colours.
///
/// ```swift
/// let blocks = HalfBlocks(picture, fitting: CellSize(columns: 24, lines: 10))
/// for line in blocks.lines(in: .full) { print(line) }
/// ```
///
/// It works in every terminal that has colours, in multiplexers, over networks and in recordings.
/// With all colours a cell takes 1 to 39 bytes, some 30 in a photo: 32 by 12 cells are 8 to 12 KB.
/// Where a colour goes on to the next cell, it isn't said again.
public struct HalfBlocks: Equatable, Sendable {
    /// How many pixels there are; two of a column to a character.
    public let size: PixelSize
    /// The colours of the pixels, row by row from the top.
    public let colors: [TerminalColor]

    /// The text of a picture, each of its pixels half a cell.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - ground: What is seen where the picture is transparent.
    public init(_ picture: Picture, over ground: TerminalColor = .black) {
        size = picture.size
        let bytes = picture.opaqueBytes(over: ground)
        colors = stride(from: 0, to: bytes.count, by: 3).map {
            TerminalColor(bytes[$0], bytes[$0 + 1], bytes[$0 + 2])
        }
    }

    /// The text of a picture that is shrunk to lie in so many cells, and never enlarged.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - cells: How many cells there are for it.
    ///   - cellAspect: How many times as high as wide a cell is.
    ///   - ground: What is seen where the picture is transparent.
    public init(
        _ picture: Picture, fitting cells: CellSize, cellAspect: Double = 2,
        over ground: TerminalColor = .black
    ) {
        precondition(
            cells.columns > 0 && cells.lines > 0 && cellAspect > 0 && cellAspect.isFinite,
            "a picture is fitted in cells of which there are some")
        // Half a cell is a pixel, and wide pixels ask for fewer of them.
        let width = Double(picture.size.width) * max(1, cellAspect / 2)
        let height = Double(picture.size.height) / min(1, cellAspect / 2)
        let shape = PixelSize(
            width: max(1, Int(min(1e9, width).rounded())),
            height: max(1, Int(min(1e9, height).rounded())))
        let box = PixelSize(width: cells.columns, height: 2 * cells.lines)
        self.init(picture.averaged(to: shape.fitted(in: box)), over: ground)
    }

    /// How many cells it takes.
    public var cells: CellSize { CellSize(columns: size.width, lines: (size.height + 1) / 2) }

    /// The lines of text, each ended by a reset if it has colours, without line ends.
    ///
    /// Below the last of an odd count of rows the terminal's own ground is seen.
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
