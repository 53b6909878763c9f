import LullTesting

/// The output of `libinput debug-events`: wheels, touchpads and touches, with times from the start.
///
/// ```text
///  event5   TOUCH_DOWN             +1.204s  0 (0) 45.67/78.90 (120.30/156.20mm)
///  event7   POINTER_SCROLL_WHEEL   +2.000s  vert 15.00/120.0* horiz 0.00/0.0 (wheel)
/// ```
struct DebugEventsLines: LineFormat {
    let dialect = TraceDialect.libinputDebugEvents
    let notes: [String] = []
    private let notch: Double
    private var time = TimeLine()
    private var finger: (slot: Int64, y: Double)?

    init(_ options: TraceFileOptions) {
        notch = options.notch
    }

    var start: Int64? { time.first }

    mutating func read(_ line: [UInt8]) throws(Complaint) -> [Trace.Event] {
        var scanner = ByteScanner(line)
        scanner.skipBlanks()
        _ = scanner.take("-")
        _ = scanner.word()
        scanner.skipBlanks()
        let kind = String(decoding: scanner.word(), as: UTF8.self)
        guard kind.hasPrefix("TOUCH_") || kind.hasPrefix("POINTER_SCROLL_"),
            kind != "TOUCH_FRAME"
        else { return [] }
        guard scanner.skip(past: "+"), let moment = scanner.billionths(), scanner.take("s"),
            let input = input(kind, &scanner)
        else { throw Complaint(line, in: dialect) }
        try time.advance(to: moment)
        return input.map { Trace.Event(time: moment, $0) }
    }

    /// Returns the inputs of an event, if it matters; nil if the line can't be read.
    private mutating func input(_ kind: String, _ scanner: inout ByteScanner) -> [Trace.Input]? {
        scanner.skipBlanks()
        switch kind {
        case "TOUCH_DOWN":
            guard let slot = scanner.integer(), let y = position(&scanner) else { return nil }
            guard finger == nil else { return [] }
            finger = (slot, y)
            return [.down(y: y)]
        case "TOUCH_MOTION":
            guard let slot = scanner.integer(), let y = position(&scanner) else { return nil }
            guard finger?.slot == slot else { return [] }
            finger?.y = y
            return [.move(y: y)]
        case "TOUCH_UP", "TOUCH_CANCEL":
            let slot = scanner.integer()
            guard slot != nil || kind == "TOUCH_CANCEL" else { return nil }
            guard let down = finger, down.slot == slot ?? down.slot else { return [] }
            finger = nil
            return [kind == "TOUCH_UP" ? .up(y: down.y) : .cancel(y: down.y)]
        default:
            guard scanner.take("vert "), let way = scanner.billionths() else { return nil }
            let pixels = Double(way) / 1e9
            guard kind == "POINTER_SCROLL_WHEEL", scanner.take("/"),
                let fine = scanner.billionths()
            else { return pixels == 0 ? [] : [.wheel(dy: pixels)] }
            return fine == 0 ? [] : [.wheel(dy: Double(fine) / 1e9 / 120 * notch)]
        }
    }

    /// Returns the y of a touch, from its position on the panel in mm.
    private func position(_ scanner: inout ByteScanner) -> Double? {
        guard scanner.skip(past: "("), scanner.skip(past: "("), scanner.skip(past: "/"),
            let y = scanner.billionths(), scanner.take("mm)")
        else { return nil }
        return Double(y) / 1e9 * EvdevAxis.pixelsPerMillimetre
    }
}
