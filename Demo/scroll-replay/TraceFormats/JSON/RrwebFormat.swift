import LullTesting
import ReplayText
import ScrollModel

/// A session recorded by rrweb: the offsets of its scrollers, ten times a second, and its touches.
///
/// The offsets within a motion are interpolated by a smooth curve; an offset after a pause stands
/// alone.
struct RrwebFormat: JSONFormat {
    static let dialect = TraceDialect.rrweb
    static let kept = [
        "type", "data", "timestamp", "source", "id", "x", "y", "positions", "timeOffset", "height",
        "initialOffset", "top", "events",
    ]
    static let streams: Set<String> = ["data", "events"]
    static let mayStayOpen = false

    /// The node of the page itself.
    private static let document = 1
    /// The pause after which a motion has ended: offsets come every 100 ms while it moves.
    private static let rest = Duration.milliseconds(200)
    /// The time between interpolated offsets.
    private static let frame = Duration.nanoseconds(16_666_667)

    private let options: TraceFileOptions
    private var time = TimestampCheck()
    private var viewportHeight: Double?
    private var initialOffset: Trace.Sample?
    private var scrolls: [Int: [Trace.Sample]] = [:]
    private var count = 0
    private var touches: [Trace.Event] = []

    init(_ options: TraceFileOptions) {
        self.options = options
    }

    mutating func take(_ item: JSONNode) throws(FormatError) {
        guard let type = item["type"]?.number else { return }
        let meaning = "ms since 1970"
        if let time = item["timestamp"]?.number, time < 0 {
            throw FormatError(
                found: "time \(plain(time)), before 1970",
                expected: "\"timestamp\" to be \(meaning)")
        }
        let stamp = try item.time("timestamp", unit: 1_000_000, meaning: meaning)
        try time.take(stamp)
        guard let data = item["data"] else { return }
        switch (type, data["source"]?.number) {
        case (4, _):
            guard let height = data["height"]?.number, (1...1e6).contains(height) else { return }
            viewportHeight = viewportHeight ?? height
        case (2, _):
            guard initialOffset == nil, let top = data["initialOffset"]?["top"]?.number else {
                return
            }
            try Recording.check(top)
            initialOffset = Trace.Sample(time: stamp, offset: top)
        case (3, 2): try touch(data, at: stamp)
        case (3, 3): try scroll(data, at: stamp)
        case (3, 6): try moves(data, at: stamp)
        default: break
        }
    }

    private mutating func scroll(_ data: JSONNode, at stamp: Instant) throws(FormatError) {
        guard let id = data["id"]?.scaled(by: 1), let y = data["y"]?.number else {
            throw FormatError(
                found: "a scroll without a place", expected: "\"id\" and \"y\" to be numbers")
        }
        try Recording.check(y)
        try makeRoom()
        scrolls[Int(id), default: []].append(Trace.Sample(time: stamp, offset: y))
    }

    private mutating func touch(_ data: JSONNode, at stamp: Instant) throws(FormatError) {
        guard let type = data["type"]?.number, [7, 9, 10].contains(type) else { return }
        let y = try place(data)
        try makeRoom()
        let input: Trace.Input =
            type == 7 ? .down(y: y) : type == 9 ? .up(y: y) : .cancel(y: y)
        touches.append(Trace.Event(time: stamp, input))
    }

    private mutating func moves(_ data: JSONNode, at stamp: Instant) throws(FormatError) {
        for position in data["positions"]?.elements ?? [] {
            let y = try place(position)
            let offset = position["timeOffset"]?.scaled(by: 1_000_000) ?? 0
            let moment = stamp + .nanoseconds(offset)
            try time.take(moment)
            try makeRoom()
            touches.append(Trace.Event(time: moment, .move(y: y)))
        }
    }

    private func place(_ data: JSONNode) throws(FormatError) -> Double {
        guard let y = data["y"]?.number else {
            throw FormatError(found: "a touch without a place", expected: "\"y\" to be a number")
        }
        try Recording.check(y)
        return y
    }

    private mutating func makeRoom() throws(FormatError) {
        count += 1
        guard count <= options.limit else {
            throw FormatError(
                found: "more than \(options.limit) inputs and offsets",
                expected: "a shorter recording")
        }
    }

    // MARK: - The conversion to a trace

    func finish(into recording: inout Recording) throws(FormatError) -> Instant? {
        recording.viewportHeight = viewportHeight
        // Inputs at the same time are sorted: a finger lands, then moves, then lifts.
        func rank(_ event: Trace.Event) -> Int {
            switch event.input {
            case .down: 0
            case .move: 1
            default: 2
            }
        }
        var isDown = false
        for event in touches.inOrder(of: rank).inOrder(of: \.time) {
            switch event.input {
            case .down where isDown, .move where !isDown, .up where !isDown,
                .cancel where !isDown:
                continue
            case .down: isDown = true
            case .up, .cancel: isDown = false
            default: break
            }
            try recording.append(event)
        }
        try addOffsets(to: &recording)
        guard !recording.events.isEmpty || !recording.samples.isEmpty else {
            throw FormatError(
                found: "no scroll and no touch", expected: "events of type 3 and source 3")
        }
        return time.first
    }

    private func addOffsets(to recording: inout Recording) throws(FormatError) {
        guard let node = try chosenNode() else {
            if let initialOffset, !recording.events.isEmpty {
                try recording.append(initialOffset)
            }
            return
        }
        var points = scrolls[node] ?? []
        points = points.inOrder(of: \.time)
        // The list rests at the initial offset until the first motion, so nothing is interpolated
        // from it.
        if node == Self.document, let initialOffset, initialOffset.time < points[0].time {
            try recording.append(initialOffset)
        }
        if node != Self.document || scrolls.count > 1 {
            let others = scrolls.count - 1
            recording.notes.append(
                "node \(node)" + (others > 0 ? " of \(scrolls.count) that scroll" : ""))
        }
        // Of several offsets at the same time, the last is used.
        var known: [Trace.Sample] = []
        for point in points {
            if known.last?.time == point.time { known.removeLast() }
            known.append(point)
        }
        for motion in known.split(wherePause: Self.rest) {
            let curve = MonotoneCubic(Array(motion))
            for (index, point) in motion.enumerated() {
                try recording.append(point)
                guard index + 1 < motion.count else { continue }
                let next = motion[motion.startIndex + index + 1]
                var moment = point.time + Self.frame
                while moment + Self.frame / 2 < next.time {
                    let offset = curve.offset(at: moment, after: index)
                    try recording.append(Trace.Sample(time: moment, offset: offset))
                    moment += Self.frame
                }
            }
        }
        recording.notes.append("\(counted(known.count, "recorded offset")), smooth between them")
    }

    /// Returns the selected node, or else that with the most events, of equals the lowest.
    private func chosenNode() throws(FormatError) -> Int? {
        if let node = options.node {
            guard scrolls[node] != nil else {
                let known = scrolls.keys.sorted().prefix(8).map(String.init)
                throw FormatError(
                    found: "no scroll of node \(node)",
                    expected: known.isEmpty
                        ? "a node that scrolls" : "one of " + known.joined(separator: ", "))
            }
            return node
        }
        return scrolls.max { ($0.value.count, -$0.key) < ($1.value.count, -$1.key) }?.key
    }
}

extension [Trace.Sample] {
    /// Splits the samples at pauses of more than `pause`.
    fileprivate func split(wherePause pause: Duration) -> [ArraySlice<Trace.Sample>] {
        var pieces: [ArraySlice<Trace.Sample>] = []
        var start = startIndex
        for index in indices
        where index + 1 == endIndex || self[index + 1].time - self[index].time > pause {
            pieces.append(self[start...index])
            start = index + 1
        }
        return pieces
    }
}
