/// One way to print the kernel's input events, a line each.
protocol EvdevDialect {
    /// What it is.
    static var dialect: TraceDialect { get }

    init()

    /// What a line says.
    mutating func read(_ line: [UInt8]) throws(Complaint) -> EvdevLine
}

/// What a line of a recording of input events says.
enum EvdevLine {
    /// Nothing that matters here.
    case nothing
    /// Something happened on a device.
    case event(EvdevEvent, device: Int)
    /// A device's axis is such.
    case axis(EvdevAxis, code: Int, device: Int)
    /// Another device's events follow, from the start of time.
    case newDevice
}
