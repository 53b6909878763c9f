public import ScrollModel

/// An order of the pictures, and their flow in lines: what a page shows.
public struct ListArrangement: Hashable, Sendable {
    /// The flow of pictures in lines.
    public enum Flow: Hashable, Sendable {
        /// One picture a line, in lines of one height.
        case rows
        /// Justified lines of this width, in px.
        case justified(width: Int)
    }

    /// The order.
    public let order: ListOrder
    /// The flow.
    public var flow: Flow

    /// An arrangement of the pictures.
    public init(_ order: ListOrder = .name, flow: Flow = .rows) {
        (self.order, self.flow) = (order, flow)
    }
}

extension ListArrangement.Flow {
    /// The height of a section's header, in px.
    public static let headerHeight = 40.0
    /// The height of the lines of ``rows``, in px.
    public static let rowHeight = 72.0
    /// The space between the pictures of justified lines, in px.
    public static let spacing = 4.0

    /// Parses the text of a flow: `list`, or the width of justified lines; nil for any other.
    ///
    /// Only some widths are allowed, as each takes memory for its lines: steps of 16 px up to 512,
    /// of 32 up to 1024, of 64 up to 2048, and of 256 up to 4096.
    public init?(text: String) {
        if text == "list" {
            self = .rows
        } else if let width = Int(text), 160...4096 ~= width, width % Self.step(width) == 0 {
            self = .justified(width: width)
        } else {
            return nil
        }
    }

    private static func step(_ width: Int) -> Int {
        switch width {
        case ...512: 16
        case ...1024: 32
        case ...2048: 64
        default: 256
        }
    }

    /// The height that justified lines of a width should have, in px.
    ///
    /// Two or three pictures lie side by side on a phone, six or more on a wide screen.
    public static func lineHeight(inWidth width: Int) -> Double {
        Double(min(220, max(108, 4 * ((width + 13) / 26))))
    }

    /// The flow of a list's rows that are measured by aspect ratios.
    public var lines: LineFlow {
        switch self {
        case .rows: LineFlow(.fixed(columns: 1, height: Self.rowHeight), width: 1000)
        case .justified(let width):
            LineFlow(
                .justified(height: Self.lineHeight(inWidth: width)), width: Double(width),
                spacing: Self.spacing)
        }
    }
}
