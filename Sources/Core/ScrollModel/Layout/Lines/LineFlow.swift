internal import LullLibC

/// The flow of a list's rows in lines, with several rows side by side, as in a grid of pictures.
///
/// ```swift
/// let flow = LineFlow(.justified(height: 180), width: 1200, spacing: 4)
/// var grid = try ListLayout(rowCounts: [10_000], estimates: .init(row: 1.5), flow: flow)
/// try grid.setHeight(0.75, of: .row(RowIndex(section: 0, row: 3)))  // an upright picture
/// grid.frame(ofRowAt: 3)
/// ```
///
/// Each section begins a new line; headers and footers have lines of their own. Each line is
/// followed by the spacing, which counts as a part of it.
public struct LineFlow: Sendable, Hashable {
    /// The rule by which rows are gathered in a line.
    public enum Rule: Sendable, Hashable {
        /// A fixed number of columns of equal width. A line is as high as its highest row.
        case columns(Int)
        /// As many columns of equal width as fit, if each is at least `minimumWidth` px wide; at
        /// least one.
        case adaptive(minimumWidth: Double)
        /// A fixed number of columns of equal width, in lines of one height (px), whatever the
        /// measures of the rows are.
        case fixed(columns: Int, height: Double)
        /// Rows in shapes of their own, in lines that are filled from edge to edge.
        ///
        /// A row is measured by its aspect ratio (width by height) instead of its height; beyond
        /// 1:16 and 16:1 it's shown as if it had these. A line ends where its height is nearest to
        /// `height` px; the last of a section isn't made higher than that.
        case justified(height: Double)
    }

    /// The rule for lines.
    package let rule: Rule
    /// The space across the direction of scrolling, in px: the width of a list that scrolls down.
    package let width: Double
    /// The space between the rows of a line and between lines, in px.
    package let spacing: Double
    /// Whether lines are columns, side by side, of a list that scrolls to the right: offsets and
    /// heights are then horizontal, widths vertical, and aspect ratios height by width.
    package let isHorizontal: Bool

    /// A flow with a rule in a width, in px, which is clamped to a range from 1 to 2²⁰.
    ///
    /// A spacing that isn't from 0 to 2²⁰ is 0.
    ///
    /// - Precondition: the measure of the rule is positive, and not above 2²⁰.
    public init(
        _ rule: Rule, width: Double, spacing: Double = 0, isHorizontal: Bool = false
    ) {
        let (measure, columns): (Double, Int) =
            switch rule {
            case .columns(let count): (1, count)
            case .fixed(let count, let height): (height, count)
            case .adaptive(let width): (width, 1)
            case .justified(let height): (height, 1)
            }
        precondition(
            measure > 0 && measure <= Self.most && columns > 0 && columns <= Int(Self.most),
            "a flow has columns or a height, of at most 2^20")
        self.rule = rule
        self.width = width >= 1 ? min(width, Self.most) : 1
        self.spacing = 0...Self.most ~= spacing ? spacing : 0
        self.isHorizontal = isHorizontal
    }

    private static let most = 1_048_576.0

    /// The number of columns; nil if lines have different numbers of rows.
    package var columns: Int? {
        switch rule {
        case .columns(let count), .fixed(let count, _): count
        case .adaptive(let least): max(1, Int((width + spacing) / (least + spacing)))
        case .justified: nil
        }
    }

    /// The maximum height that a line has besides those of its rows, in steps.
    var mostOwnHeight: Int64 {
        let own: Double =
            switch rule {
            case .columns, .adaptive: 0
            case .fixed(_, let height): height
            case .justified(let height): 2 * height
            }
        return HeightSteps.atOrAfter(own) + HeightSteps.atOrAfter(spacing)
    }
}

/// A rectangle in a list's content, in px.
public struct RowFrame: Sendable, Hashable {
    /// The distance of the left edge from that of the content.
    public let x: Double
    /// The distance of the top edge from that of the content.
    public let y: Double
    /// The width.
    public let width: Double
    /// The height.
    public let height: Double
}
