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
        if let offset = event.offset { try Self.check(offset) }
        try makeRoom()
        events.append(event)
    }

    mutating func append(_ sample: Trace.Sample) throws(FormatError) {
        try Self.check(sample.offset)
        try makeRoom()
        samples.append(sample)
    }

    /// Returns the trace in the order of time; its time zero is `start`, or the first event.
    func trace(name: String, from start: Instant?) -> Trace {
        let events = events.inOrder(of: \.time)
        let samples = samples.inOrder(of: \.time)
        let firsts = [start, events.first?.time, samples.first?.time].compactMap { $0 }
        let start = firsts.min() ?? .zero
        return Trace(
            name: name,
            events: events.map {
                .init(time: .zero + ($0.time - start), $0.input, offset: $0.offset)
            },
            samples: samples.map { .init(time: .zero + ($0.time - start), offset: $0.offset) },
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
    /// Returns the elements sorted by a key; the sort is stable.
    func inOrder<Key: Comparable>(of key: (Element) -> Key) -> [Element] {
        if zip(self, dropFirst()).allSatisfy({ key($0) <= key($1) }) { return self }
        return enumerated().sorted {
            (key($0.element), $0.offset) < (key($1.element), $1.offset)
        }.map(\.element)
    }
}
