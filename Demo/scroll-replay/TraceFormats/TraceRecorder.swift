public import LullTesting
import ReplayText
import ScrollModel

/// A recorder that converts input events to a trace as they arrive.
///
/// ```swift
/// var recorder = TraceRecorder(of: "/dev/input/event5", from: .kernel)
/// var events: [Trace.Event] = []
/// try recorder.take(bytes, into: &events)
/// for event in events { print(OwnText.line(event), terminator: "") }
/// ```
///
/// The bytes may be split anywhere. The first event of the device is at time zero.
public struct TraceRecorder {
    /// The kind of input.
    public enum Source: Sendable {
        /// The kernel's events, in this machine's binary form.
        case kernel
        /// The output of evemu-record, libinput record or getevent -t; the format is detected by
        /// the content.
        case text
    }

    /// A summary of the recording so far, such as "evemu: 1 stroke, 147 samples, 2.20 s".
    public var statement: String {
        guard let format else { return "nothing" }
        let trace = recording.trace(name: "", from: format.start)
        return TraceFile.statement(of: trace, format.dialect, format.notes)
    }

    private let source: Source
    private let name: String
    private let options: TraceFileOptions
    private var format: EvdevFormat?
    private var recording: Recording
    private var rest: [UInt8] = []
    private var lines = 0
    private var start: Instant?
    private var last = Instant.zero
    // The lines of a header that came before the format was known.
    private var unclear: [[UInt8]] = []

    /// Creates a recorder of a source that is called `name` in errors.
    public init(
        of name: String, from source: Source, options: TraceFileOptions = TraceFileOptions()
    ) {
        self.name = name
        self.source = source
        self.options = options
        recording = Recording(limit: options.limit)
        if source == .kernel { format = EvdevFormat(KernelEvents(), options) }
    }

    /// Sets the device's vertical axis: that of its slots, or else that of its single touch.
    public mutating func setAxis(
        minimum: Int, maximum: Int, resolution: Int, ofSlots isOfSlots: Bool
    ) {
        guard source == .kernel else { return }
        format?.setAxis(
            EvdevAxis(
                minimum: Int64(minimum), maximum: Int64(maximum), resolution: Int64(resolution)),
            code: isOfSlots ? Evdev.positionY : Evdev.y)
    }

    /// Sets whether the device points, as touchpads do, or is touched directly, as touchscreens are.
    public mutating func setProperties(isPointer: Bool, isDirect: Bool) {
        guard source == .kernel,
            let surface = EvdevSurface(isPointer: isPointer, isDirect: isDirect)
        else { return }
        format?.setSurface(surface)
    }

    /// Takes the next bytes and appends their events; if it throws, those before the error too.
    public mutating func take(
        _ bytes: [UInt8], into events: inout [Trace.Event]
    ) throws(TraceError) {
        rest += bytes
        var position = 0
        defer { rest.removeFirst(position) }
        while let end = nextEnd(from: position) {
            let piece = Array(rest[position..<end])
            position = end
            try read(piece, into: &events)
        }
        guard rest.count - position <= LineReader.longest else {
            throw FormatError(found: "a line of more than 64 KiB", expected: "lines of text")
                .at(line: lines + 1, in: name)
        }
    }

    /// Ends the input, whose last line may lack a line break.
    public mutating func finish(into events: inout [Trace.Event]) throws(TraceError) {
        defer { rest = [] }
        if source == .kernel {
            guard rest.isEmpty else {
                throw FormatError(
                    found: "the end inside an event", expected: "\(KernelEvents.size) bytes each"
                ).at(byte: lines * KernelEvents.size, in: name)
            }
            return
        }
        if !rest.isEmpty { try read(rest, into: &events) }
        if format == nil {
            throw FormatError(
                found: "nothing known in \(counted(lines, "line"))",
                expected: TraceDialect.evemu.example + ", or as libinput or getevent -t print"
            ).at(line: max(lines, 1), in: name)
        }
    }

    /// Returns the end of the record that begins at a position, if it is complete.
    private func nextEnd(from position: Int) -> Int? {
        switch source {
        case .kernel:
            let end = position + KernelEvents.size
            return end <= rest.count ? end : nil
        case .text: return rest[position...].firstIndex(of: 0x0A).map { $0 + 1 }
        }
    }

    private mutating func read(
        _ piece: [UInt8], into events: inout [Trace.Event]
    ) throws(TraceError) {
        lines += 1
        let line = source == .text && piece.last == 0x0A ? Array(piece.dropLast()) : piece
        var waiting = [line]
        if format == nil {
            guard let dialect = DialectSniffer.dialect(ofLine: line),
                let known = dialect.eventReader(options)
            else {
                // A header has fewer lines than this.
                if unclear.count < 1000 { unclear.append(line) }
                return
            }
            format = known
            waiting = unclear + waiting
            unclear = []
        }
        for (index, line) in waiting.enumerated() {
            do {
                for event in try format?.read(line) ?? [] {
                    try recording.append(event)
                    // An event of another device that arrives late gets the time of the event
                    // before it.
                    let zero = start ?? format?.start ?? event.time
                    start = zero
                    last = max(last, .zero + (event.time - zero))
                    events.append(Trace.Event(time: last, event.input))
                }
            } catch {
                let number = lines - waiting.count + 1 + index
                throw source == .kernel
                    ? error.at(byte: (number - 1) * KernelEvents.size, in: name)
                    : error.at(line: number, in: name)
            }
        }
    }
}
