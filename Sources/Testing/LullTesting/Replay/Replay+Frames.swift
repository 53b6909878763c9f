internal import DeferredLoading
internal import Foundation
internal import IdleLoop
internal import ScrollModel

// Inputs and frames.
extension Replay {
    /// Schedules the trace's inputs.
    ///
    /// The loop doesn't know their times beforehand, as in production.
    func playInputs() {
        let port = loop.port(of: Void.self) { [weak self] in self?.takeInput() }
        let moments = trace.events.map { moment($0.time) }
        switch loop.clock {
        case .virtual(let time):
            for moment in moments { time.at(moment) { port.send(()) } }
        case .monotonic:
            Thread.detachNewThread {
                for moment in moments {
                    let rest = LoopClock.monotonic.now.duration(to: moment)
                    if rest > .zero { Thread.sleep(forTimeInterval: rest.inSeconds) }
                    port.send(())
                }
            }
        }
    }

    func takeInput() {
        while isPlaying, nextEvent < trace.events.count, trace.events[nextEvent].time <= elapsed {
            let index = nextEvent
            nextEvent += 1
            handle(trace.events[index], number: index)
        }
    }

    func handle(_ event: Trace.Event, number: Int) {
        let start = loop.clock.now
        ledger.noteInput(delay: elapsed - event.time)
        gate.note(event.input)
        let offset = path.offset(at: elapsed)
        loop.clock.spend(.microseconds(50))
        let host = options.target == .trace ? path.target(ofLift: number, in: trace) : nil
        let ended = elapsed
        list?.touched(
            ScrollEvent(event.input, target: host), at: moment(event.time), offset: offset)
        if case .up = event.input, let target = list?.forecast?.target {
            log?.predictions.append(.init(time: ended, target: target))
        }
        log?.inputs.append(
            .init(
                time: event.time, start: origin.duration(to: start).nanoseconds, end: ended,
                input: event.input))
    }

    func scheduleFrame(_ number: Int) {
        gate.expectFrame(at: number <= schedule.last ? schedule.due(number) : nil, from: elapsed)
        guard number <= schedule.last else { return }
        loop.schedule(at: moment(schedule.due(number))) { [weak self] in self?.showFrame(number) }
    }

    func showFrame(_ number: Int) {
        guard isPlaying, var viewport = list?.viewport else { return }
        let start = loop.clock.now
        let isFirst = ledger.lastOffset == nil
        viewport.scroll(to: path.offset(at: elapsed))
        let rows = viewport.visibleRows
        let new = rows.count { isFirst || !visible.contains($0) }
        memory?.show(rows)
        visible = rows
        if options.engine == .inFrame { loadInFrame(rows) }
        let missing = rows.filter { !isSettled($0) }
        let queued = queue.count
        ledger.beginFrame(
            number, offset: viewport.offset, missing: missing.count,
            there: rows.filter { loader?.state(of: $0).value != nil })
        onNote?(elapsed, .frame(number: number, visible: rows, missing: missing.count))
        loop.clock.spend(.microseconds(1500 + 200 * new))
        log?.frames.append(
            .init(
                number: number, due: schedule.due(number),
                start: origin.duration(to: start).nanoseconds, end: elapsed,
                deadline: schedule.due(number + 1), offset: viewport.offset, visible: rows,
                missing: missing, queued: queued))
        scheduleFrame(ledger.endFrame(number, at: elapsed))
        list?.scrolled(to: viewport.offset, at: start)
    }
}

extension ScrollEvent {
    /// Creates the event that a trace's input is to a list; `target` is the offset at which a flung
    /// list rests.
    init(_ input: Trace.Input, target: Double? = nil) {
        self =
            switch input {
            case .down(let y): .down(y: y)
            case .move(let y): .moved(y: y)
            case .up(let y): .up(y: y, target: target)
            case .cancel: .cancelled
            case .wheel: .wheel
            case .key: .key
            }
    }
}
