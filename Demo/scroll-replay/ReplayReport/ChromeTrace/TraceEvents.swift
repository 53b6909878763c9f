internal import IdleLoop
internal import Laboratory
internal import LullTesting
internal import ReplayText
internal import ScrollModel

/// The events of a run.
struct TraceEvents {
    let run: RunAccount
    let process: Int
    private(set) var lastID: Int
    private var events: [TraceEvent] = []

    init(run: RunAccount, process: Int, firstID: Int) {
        self.run = run
        self.process = process
        lastID = firstID
    }

    /// The events sorted by time; the sort is stable.
    var sorted: [TraceEvent] {
        events.enumerated().sorted { first, second in
            (first.element.time?.nanoseconds ?? -1, first.offset) < (
                second.element.time?.nanoseconds ?? -1, second.offset
            )
        }.map(\.element)
    }

    mutating func collect(processName: String) {
        addNames(processName)
        addFrames()
        addInputs()
        addWork()
        addLoads()
        addInstants()
    }

    private mutating func addNames(_ name: String) {
        func fact(_ name: String, _ thread: TraceEvent.Thread?, _ value: (String, JSON)) {
            events.append(
                TraceEvent(
                    phase: "M", name: name, process: process, thread: thread, arguments: [value]))
        }
        fact("process_name", nil, ("name", .text(name)))
        fact("process_sort_index", nil, ("sort_index", .whole(process)))
        let lanes = run.log.slices.map(\.lane).max() ?? 0
        let threads: [TraceEvent.Thread] = [.frames, .loop, .input]
        for thread in threads + (0..<lanes).map({ .lane($0 + 1) }) {
            fact("thread_name", thread, ("name", .text(thread.name)))
            fact("thread_sort_index", thread, ("sort_index", .whole(thread.number)))
        }
    }

    /// Returns the thread on which a slice of work ran.
    private func thread(of slice: ReplayLog.Slice) -> TraceEvent.Thread {
        slice.lane == 0 ? .loop : .lane(slice.lane)
    }

    private mutating func addSlice(
        _ name: String, _ category: String, on thread: TraceEvent.Thread, from start: Instant,
        to end: Instant, _ arguments: [(String, JSON)]
    ) {
        events.append(
            TraceEvent(
                phase: "X", name: name, category: category, process: process, thread: thread,
                time: max(.zero, start), duration: max(.zero, end - max(.zero, start)),
                arguments: arguments))
    }

    private mutating func addFrames() {
        for frame in run.log.frames {
            addSlice(
                frame.isLate ? "late frame" : "frame", "frame", on: .frames, from: frame.start,
                to: frame.end,
                [
                    ("number", .whole(frame.number)),
                    ("late by us", .whole(max(0, microseconds(frame.end - frame.deadline)))),
                    ("first row", .whole(frame.visible.bounds.lowerBound)),
                    ("rows", .whole(frame.visible.count)), ("blank", .whole(frame.missing.count)),
                ])
            addCounter("offset", "px", .digits(decimals(frame.offset, 1)), at: frame.start)
            addCounter("queue depth", "jobs", .whole(frame.queued), at: frame.start)
            addCounter("blank rows", "rows", .whole(frame.missing.count), at: frame.start)
        }
    }

    private mutating func addCounter(
        _ name: String, _ series: String, _ value: JSON, at time: Instant
    ) {
        events.append(
            TraceEvent(
                phase: "C", name: name, process: process, time: max(.zero, time),
                arguments: [(series, value)]))
    }

    private mutating func addInputs() {
        for input in run.log.inputs {
            addSlice(
                InputKind(input.input).name, "input", on: .input, from: input.start, to: input.end,
                [("waited us", .whole(microseconds(input.start - input.time)))])
        }
    }

    private mutating func addWork() {
        for slice in run.log.slices {
            addSlice(
                "load row \(slice.row)", "load", on: thread(of: slice), from: slice.start,
                to: slice.end,
                [("row", .whole(slice.row)), ("last", .flag(slice.isLast))])
        }
    }

    private mutating func addLoads() {
        let slices = Dictionary(grouping: run.log.slices, by: \.row)
        let reasons = run.lastReasons
        for bar in run.bars {
            lastID += 1
            var arguments: [(String, JSON)] = [
                ("row", .whole(bar.row)), ("outcome", .text("\(bar.outcome)")),
                ("seen", .flag(bar.isUseful)),
            ]
            if let reason = reasons[bar.row] {
                arguments.append(("reason", .text(printable(reason))))
            }
            addAsync("b", "load row \(bar.row)", at: bar.asked, arguments)
            if let fetch = bar.fetch {
                addAsync("b", "fetch", at: max(bar.asked, fetch.lowerBound))
                addAsync("e", "fetch", at: min(bar.end, fetch.upperBound))
            }
            addAsync("e", "load row \(bar.row)", at: bar.end)
            let work = (slices[bar.row] ?? []).last { slice in
                slice.start >= bar.asked && slice.start <= bar.end
            }
            if let work, let origin = request(at: bar.asked) { addFlow(from: origin, to: work) }
        }
    }

    private mutating func addAsync(
        _ phase: String, _ name: String, at time: Instant, _ arguments: [(String, JSON)] = []
    ) {
        events.append(
            TraceEvent(
                phase: phase, name: name, category: "load", process: process,
                time: max(.zero, time),
                id: lastID, arguments: arguments))
    }

    /// Returns the frame or input that made a request, and a time inside it.
    private func request(at time: Instant) -> (thread: TraceEvent.Thread, time: Instant)? {
        let frame = run.log.frames.last { $0.start <= time }
        let input = run.log.inputs.last { $0.start <= time }
        guard let start = [frame?.start, input?.start].compactMap({ $0 }).max(), start >= .zero
        else { return nil }
        let isFrame = frame?.start == start
        let end = (isFrame ? frame?.end : input?.end) ?? time
        let last = end.advanced(by: .nanoseconds(-1))
        return (isFrame ? .frames : .input, max(start, min(time, last)))
    }

    private mutating func addFlow(
        from origin: (thread: TraceEvent.Thread, time: Instant), to work: ReplayLog.Slice
    ) {
        guard work.start >= origin.time else { return }
        events.append(
            TraceEvent(
                phase: "s", name: "request", category: "request", process: process,
                thread: origin.thread, time: origin.time, id: lastID))
        events.append(
            TraceEvent(
                phase: "f", name: "request", category: "request", process: process,
                thread: thread(of: work), time: work.start, id: lastID, extra: [("bp", .text("e"))])
        )
    }

    private mutating func addInstants() {
        func instant(_ name: String, at time: Instant, _ arguments: [(String, JSON)] = []) {
            events.append(
                TraceEvent(
                    phase: "i", name: name, category: "input", process: process, thread: .input,
                    time: max(.zero, time), extra: [("s", .text("p"))], arguments: arguments))
        }
        for input in run.log.inputs {
            switch input.input {
            case .down, .up, .cancel, .jump: instant(InputKind(input.input).name, at: input.time)
            case .move, .wheel, .key: break
            }
        }
        for prediction in run.log.predictions {
            instant(
                "target", at: prediction.time, [("px", .digits(decimals(prediction.target, 1)))])
        }
        for landing in run.landings
        where landing.cause != .start || (landing.complete ?? .zero) > .zero {
            guard let complete = landing.complete, let wait = landing.wait else { continue }
            instant(
                "landing complete", at: max(complete, landing.origin),
                [("wait us", .whole(microseconds(wait)))])
        }
    }
}
