import LullTesting

// The conversion of a session's events to a trace.
extension RrwebFormat {
    /// The node of the page itself.
    private static let document = 1
    /// The pause after which a motion has ended: offsets come every 100 ms while it moves.
    private static let rest: Int64 = 200_000_000
    /// The time between interpolated offsets.
    private static let frame: Int64 = 16_666_667

    func finish(into recording: inout Recording) throws(Complaint) -> Int64? {
        recording.viewportHeight = viewportHeight
        // Inputs at the same time are sorted: a finger lands, then moves, then lifts.
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

    private func addOffsets(to recording: inout Recording) throws(Complaint) {
        guard let node = try chosenNode() else {
            if let initialOffset, !touches.isEmpty { try recording.append(initialOffset) }
            return
        }
        var points = scrolls[node] ?? []
        points = points.inOrder { $0.time }
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
                while moment < next.time - Self.frame / 2 {
                    let offset = curve.offset(at: moment, after: index)
                    try recording.append(Trace.Sample(time: moment, offset: offset))
                    moment += Self.frame
                }
            }
        }
        recording.notes.append("\(counted(known.count, "recorded offset")), smooth between them")
    }

    /// Returns the selected node, or else that with the most events, of equals the lowest.
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
    /// Splits the samples at pauses of more than `pause`.
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
