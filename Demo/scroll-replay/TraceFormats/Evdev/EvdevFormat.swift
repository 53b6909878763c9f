import LullTesting
import ReplayText
import ScrollModel

/// A reader of the kernel's input events, of one or more devices, in some dialect.
struct EvdevFormat {
    private let options: TraceFileOptions
    private var lines: any EvdevDialect
    private var devices: [Int: EvdevDevice] = [:]
    // One for each device, as the events of different devices may be out of order.
    private var times: [Int: TimestampCheck] = [:]
    // The device whose finger is down. Other devices' fingers are ignored until it has lifted.
    private var holder: Int?

    init(_ lines: any EvdevDialect, _ options: TraceFileOptions) {
        self.lines = lines
        self.options = options
    }

    /// The format that is read.
    var dialect: TraceDialect { type(of: lines).dialect }
    /// The time at which the recording begins, once it is known.
    var start: Instant? { times.values.compactMap(\.first).min() }

    /// Remarks for the user, such as assumptions.
    var notes: [String] {
        let known = devices.sorted { $0.key < $1.key }.map(\.value)
        var notes = known.compactMap { $0.usedAxis?.note(options) }
        if let note = notes.first { notes = [note] }
        if hasTouchpad { notes.append("a touchpad, on which two fingers scroll") }
        let gaps = known.reduce(0) { $0 + $1.gaps }
        if gaps > 0 { notes.append("the kernel dropped events \(counted(gaps, "time"))") }
        return notes
    }

    /// The error for a recording without inputs.
    var emptiness: FormatError {
        hasTouchpad
            ? FormatError(
                found: "a touchpad, on which one finger only moves the pointer",
                expected: "two fingers, which scroll, a wheel or a key")
            : FormatError(found: "no finger, no wheel and no key", expected: "at least one")
    }

    /// Whether fingers were on a touchpad.
    private var hasTouchpad: Bool {
        devices.values.contains { $0.kind == .touchpad && $0.usedAxis != nil }
    }

    /// Returns the inputs of a line, with times of the recording's own clock.
    mutating func read(_ line: [UInt8]) throws(FormatError) -> [Trace.Event] {
        switch try lines.read(line) {
        case .nothing: return []
        case .newDevice:
            holder = nil
            return []
        case .axis(let axis, let code, let device):
            setAxis(axis, code: code, of: device)
            return []
        case .surface(let surface, let device):
            setSurface(surface, of: device)
            return []
        case .event(let event, let device):
            if times[device] == nil {
                // No device's time is more than a day from another's.
                times[device] = TimestampCheck(with: times.values.first?.first)
            }
            try times[device]?.advance(to: event.time)
            let events = devices[device, default: EvdevDevice()].take(event, options)
            return events.isEmpty ? [] : events.filter { isTaken($0.input, from: device) }
        }
    }

    /// Sets a device's axis; axes that aren't vertical are ignored.
    mutating func setAxis(_ axis: EvdevAxis, code: Int, of device: Int = 0) {
        if code == Evdev.positionY { devices[device, default: EvdevDevice()].axis = axis }
        if code == Evdev.y { devices[device, default: EvdevDevice()].singleAxis = axis }
    }

    /// Sets the meaning of a device's fingers; one that is a touchscreen stays one.
    mutating func setSurface(_ surface: EvdevSurface, of device: Int = 0) {
        guard devices[device]?.surface != .touchscreen else { return }
        devices[device, default: EvdevDevice()].surface = surface
    }

    private mutating func isTaken(_ input: Trace.Input, from device: Int) -> Bool {
        switch input {
        case .down:
            if holder == nil { holder = device }
            return holder == device
        case .move: return holder == device
        case .up, .cancel:
            guard holder == device else { return false }
            holder = nil
            return true
        case .wheel, .key: return true
        }
    }
}
