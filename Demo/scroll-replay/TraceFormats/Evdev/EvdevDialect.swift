/// A text or binary format of the kernel's input events, one event a line.
protocol EvdevDialect {
    /// The format that is read.
    static var dialect: TraceDialect { get }

    /// Parses a line.
    mutating func read(_ line: [UInt8]) throws(FormatError) -> EvdevLine
}

/// The content of a line of a recording of input events.
enum EvdevLine {
    /// A line that is ignored.
    case nothing
    /// An event of a device.
    case event(EvdevEvent, device: Int)
    /// The description of a device's axis.
    case axis(EvdevAxis, code: Int, device: Int)
    /// A property of a device that tells what its fingers do.
    case surface(EvdevSurface, device: Int)
    /// The start of another device's events, whose times begin anew.
    case newDevice
}
