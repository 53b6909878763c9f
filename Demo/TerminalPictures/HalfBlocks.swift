public import ImageLoading

/// A picture as terminal text: two pixels in each character, an upper half block in two colours.
///
/// ```swift
/// let blocks = HalfBlocks(picture, fitting: CellSize(columns: 24, lines: 10))
/// for line in blocks.lines { print(line) }
/// ```
///
/// It works in every terminal with true colour, in multiplexers, over networks and in recordings. A
/// cell takes 1 to 39 bytes, about 30 in a photo: 32 by 12 cells are 8 to 12 KB. A colour that
/// continues in the next cell isn't repeated.
public struct HalfBlocks: Equatable, Sendable {
    /// The size in pixels, two of which share a character, one above the other.
    public let size: PixelSize
    /// The colours of the pixels, row by row from the top.
    public let colors: [TerminalColor]

    /// Creates the text of a picture, in which each pixel is half a cell; what is transparent is
    /// black.
    ///
    /// - Parameter picture: The picture.
    public init(_ picture: Picture) {
        size = picture.size
        // Colours are multiplied by their alpha, so that this is what they are over black.
        let pixels = picture.pixels
        colors = stride(from: 0, to: pixels.count, by: 4).map {
            TerminalColor(pixels[$0], pixels[$0 + 1], pixels[$0 + 2])
        }
    }

    /// Creates the text of a picture that is scaled down to fit in some cells, which are twice as
    /// high as wide; it's never scaled up.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - cells: The cells that are available.
    public init(_ picture: Picture, fitting cells: CellSize) {
        precondition(
            cells.columns > 0 && cells.lines > 0,
            "a picture is fitted in cells of which there are some")
        let box = PixelSize(width: cells.columns, height: 2 * cells.lines)
        self.init(picture.averaged(to: picture.size.fitted(in: box)))
    }

    /// The lines of text without line terminators, each ended by a reset.
    ///
    /// If the number of rows is odd, the lower half of the last line shows the terminal's own
    /// background.
    public var lines: [String] {
        stride(from: 0, to: size.height, by: 2).map { row in
            var pen = BlockPen()
            for column in 0..<size.width {
                let upper = colors[row * size.width + column]
                let isLast = row + 1 == size.height
                pen.add(upper, isLast ? nil : colors[(row + 1) * size.width + column])
            }
            return pen.line
        }
    }
}
