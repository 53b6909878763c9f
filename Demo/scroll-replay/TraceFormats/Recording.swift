import LullTesting
import ScrollModel

/// The content of a recording read so far, with its original times.
struct Recording {
    private(set) var events: [Trace.Event] = []
    private(set) var samples: [Trace.Sample] = []
    /// The height of the viewport, if the recording contains it.
    var viewportHeight: Double?
    /// The number of frames a second, if the recording contains it.
    var hz: Int?
    /// Remarks for the user, such as assumed units.
    var notes: [String] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ event: Trace.Event) throws(FormatError) {
        switch event.input {
        case .down(let y), .move(let y), .up(let y), .cancel(let y): try Self.check(y)
        case .wheel(let dy): try Self.check(dy)
        case .key: break
        }
        try makeRoom()
        events.append(event)
    }

    mutating func append(_ sample: Trace.Sample) throws(FormatError) {
        try Self.check(sample.offset)
        try makeRoom()
        samples.append(sample)
    }

    /// Returns the trace in the order of time; its time zero is `start`, or the first event.
    func trace(name: String, from start: Int64?) -> Trace {
        let events = events.inOrder { $0.nanoseconds }
        let samples = samples.inOrder { $0.nanoseconds }
        let firsts = [events.first?.nanoseconds, samples.first?.nanoseconds].compactMap { $0 }
        let start = min(start ?? .max, firsts.min() ?? 0)
        return Trace(
            name: name, events: events.map { .init(nanoseconds: $0.nanoseconds - start, $0.input) },
            samples: samples.map { .init(nanoseconds: $0.nanoseconds - start, offset: $0.offset) },
            viewportHeight: viewportHeight, hz: hz)
    }

    private func makeRoom() throws(FormatError) {
        guard events.count + samples.count < limit else {
            throw FormatError(
                found: "more than \(limit) inputs and offsets", expected: "a shorter recording")
        }
    }

    /// Throws if a number can't be a list's offset or a finger's position.
    static func check(_ pixels: Double) throws(FormatError) {
        guard (-1e12...1e12).contains(pixels) else {
            throw FormatError(found: "\(pixels) px", expected: "px from -1e+12 to 1e+12")
        }
    }
}

extension Array {
    /// Returns the elements sorted by time; the sort is stable.
    func inOrder(_ time: (Element) -> Int64) -> [Element] {
        if zip(self, dropFirst()).allSatisfy({ time($0) <= time($1) }) { return self }
        return enumerated().sorted {
            (time($0.element), $0.offset) < (time($1.element), $1.offset)
        }.map(\.element)
    }
}

// Formats compute with the plain numbers of their clocks.
extension Trace.Event {
    init(nanoseconds: Int64, _ input: Trace.Input) {
        self.init(time: Instant(nanoseconds: nanoseconds), input)
    }

    var nanoseconds: Int64 { time.nanoseconds }
}

extension Trace.Sample {
    init(nanoseconds: Int64, offset: Double) {
        self.init(time: Instant(nanoseconds: nanoseconds), offset: offset)
    }

    var nanoseconds: Int64 { time.nanoseconds }
}
