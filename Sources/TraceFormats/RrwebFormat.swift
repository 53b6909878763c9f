import LullTesting

/// A session that rrweb recorded: where its scrollers were, ten times a second, and its touches.
///
/// Between the offsets of a motion the list is where a smooth line through them is; an offset that
/// comes later than that stands for itself.
struct RrwebFormat: JSONFormat {
    static let dialect = TraceDialect.rrweb
    static let kept = [
        "type", "data", "timestamp", "source", "id", "x", "y", "positions", "timeOffset", "height",
        "initialOffset", "top", "events",
    ]
    static let streams: Set<String> = ["data", "events"]
    static let mayStayOpen = false

    /// The page itself.
    private static let document = 1
    /// Offsets come every 100 ms while it moves; after two of those it has rested.
    private static let rest: Int64 = 200_000_000
    /// How far apart the offsets between them are.
    private static let frame: Int64 = 16_666_667

    private let options: TraceFileOptions
    private var time = TimeLine()
    private var viewportHeight: Double?
    private var initialOffset: Trace.Sample?
    private var scrolls: [Int: [Trace.Sample]] = [:]
    private var count = 0
    private var touches: [Trace.Event] = []

    init(_ options: TraceFileOptions) {
        self.options = options
    }

    mutating func take(_ item: JSONNode) throws(Complaint) {
        guard let type = item["type"]?.number else { return }
        guard let stamp = item["timestamp"]?.scaled(by: 1_000_000) else {
            throw Complaint(
                found: "an event without a time", expected: "\"timestamp\" to be a number")
        }
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

    private mutating func scroll(_ data: JSONNode, at stamp: Int64) throws(Complaint) {
        guard let id = data["id"]?.scaled(by: 1), let y = data["y"]?.number else {
            throw Complaint(
                found: "a scroll without a place", expected: "\"id\" and \"y\" to be numbers")
        }
        try Recording.check(y)
        try makeRoom()
        scrolls[Int(id), default: []].append(Trace.Sample(time: stamp, offset: y))
    }

    private mutating func touch(_ data: JSONNode, at stamp: Int64) throws(Complaint) {
        guard let type = data["type"]?.number, [7, 9, 10].contains(type) else { return }
        let y = try place(data)
        try makeRoom()
        let input: Trace.Input =
            type == 7 ? .down(y: y) : type == 9 ? .up(y: y) : .cancel(y: y)
        touches.append(Trace.Event(time: stamp, input))
    }

    private mutating func moves(_ data: JSONNode, at stamp: Int64) throws(Complaint) {
        for position in data["positions"]?.elements ?? [] {
            let y = try place(position)
            let offset = position["timeOffset"]?.scaled(by: 1_000_000) ?? 0
            let (moment, isTooLate) = stamp.addingReportingOverflow(offset)
            guard !isTooLate else {
                throw Complaint(found: "a \"timeOffset\" too large", expected: "milliseconds")
            }
            try time.take(moment)
            try makeRoom()
            touches.append(Trace.Event(time: moment, .move(y: y)))
        }
    }

    private func place(_ data: JSONNode) throws(Complaint) -> Double {
        guard let y = data["y"]?.number else {
            throw Complaint(found: "a touch without a place", expected: "\"y\" to be a number")
        }
        try Recording.check(y)
        return y
    }

    private mutating func makeRoom() throws(Complaint) {
        count += 1
        guard count <= options.limit else {
            throw Complaint(
                found: "more than \(options.limit) inputs and offsets",
                expected: "a shorter recording")
        }
    }

    mutating func finish(into recording: inout Recording) throws(Complaint) -> Int64? {
        recording.viewportHeight = viewportHeight
        // At one moment a finger lands, then moves, then lifts.
        func rank(_ event: Trace.Event) -> Int64 {
            switch event.input {
            case .down: 0
            case .move: 1
            default: 2
            }
        }
        var isDown = false
        for event in touches.inOrder({ $0.time &* 4 &+ rank($0) }) {
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
            throw Complaint(
                found: "no scroll and no touch", expected: "events of type 3 and source 3")
        }
        return time.first
    }

    private mutating func addOffsets(to recording: inout Recording) throws(Complaint) {
        guard let node = try chosenNode() else {
            if let initialOffset, !touches.isEmpty { try recording.append(initialOffset) }
            return
        }
        var points = scrolls[node] ?? []
        points = points.inOrder { $0.time }
        // There it rests until the first of the others: no line leads from it.
        if node == Self.document, let initialOffset, initialOffset.time < points[0].time {
            try recording.append(initialOffset)
        }
        if node != Self.document || scrolls.count > 1 {
            let others = scrolls.count - 1
            recording.notes.append(
                "node \(node)" + (others > 0 ? " of \(scrolls.count) that scroll" : ""))
        }
        // Of several offsets at one time the last holds.
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
                while moment < next.time - Self.frame / 2 {
                    let offset = curve.offset(at: moment, after: index)
                    try recording.append(Trace.Sample(time: moment, offset: offset))
                    moment += Self.frame
                }
            }
        }
        recording.notes.append("\(counted(known.count, "recorded offset")), smooth between them")
    }

    /// The node that was asked for, or else that with the most events, the lowest of equal ones.
    private func chosenNode() throws(Complaint) -> Int? {
        if let node = options.node {
            guard scrolls[node] != nil else {
                let known = scrolls.keys.sorted().prefix(8).map(String.init)
                throw Complaint(
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
    /// The samples in pieces, cut where none came for longer than `pause`.
    fileprivate func split(wherePause pause: Int64) -> [ArraySlice<Trace.Sample>] {
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
