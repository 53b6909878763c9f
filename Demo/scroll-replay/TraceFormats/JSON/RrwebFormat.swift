import LullTesting

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

    let options: TraceFileOptions
    private(set) var time = TimeLine()
    private(set) var viewportHeight: Double?
    private(set) var initialOffset: Trace.Sample?
    private(set) var scrolls: [Int: [Trace.Sample]] = [:]
    private var count = 0
    private(set) var touches: [Trace.Event] = []

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
}
