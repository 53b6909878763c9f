internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

// Input and frames.
extension Replay {
    func takeInput() {
        feed.drain()
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
        var list = viewport
        list.scroll(to: path.offset(at: elapsed))
        loop.clock.spend(.microseconds(50))
        let time = Duration.nanoseconds(event.time)
        let happened: ScrollMoment.Event
        switch event.input {
        case .down(let y):
            predictor.fingerDown(y, at: time, offset: list.offset)
            happened = .down
        case .move(let y):
            predictor.fingerMoved(y, at: time)
            happened = .moved
        case .up(let y):
            let host = options.target == .trace ? path.target(ofLift: number, in: trace) : nil
            happened = .up(predictor.fingerUp(y, at: time, in: list, hostTarget: host))
        case .cancel:
            predictor.fingerCancelled()
            happened = .cancelled
        case .wheel:
            predictor.fingerCancelled()
            happened = .wheel
        case .key:
            predictor.fingerCancelled()
            happened = .key
        }
        if case .up(let prediction?) = happened {
            log?.predictions.append(.init(time: elapsed, target: prediction.target))
        }
        let ended = elapsed
        let finger: Double? =
            switch event.input {
            case .down(let y), .move(let y), .up(let y), .cancel(let y): y
            case .wheel, .key: nil
            }
        reconcile(
            ScrollMoment(
                happened, now: loop.clock.now, start: start, viewport: list,
                finger: finger.map { FingerPlace(y: $0, time: moment(event.time)) }))
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
        guard isPlaying else { return }
        let start = loop.clock.now
        let isFirst = ledger.lastOffset == nil
        viewport.scroll(to: path.offset(at: elapsed))
        let rows = viewport.visibleRows
        let new = rows.count { isFirst || !visible.contains($0) }
        bindCells(to: rows)
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
        reconcile(ScrollMoment(.frame, now: loop.clock.now, start: start, viewport: viewport))
    }

    func reconcile(_ moment: ScrollMoment) {
        guard options.engine != .inFrame, let loader else { return }
        var moment = moment
        moment.loads = loader.facts { $0 }
        guard let wanted = policy.wanted(after: moment) else { return }
        onNote?(elapsed, .wanted(wanted))
        loader.reconcile(with: wanted) { [weak self] in
            self?.policy.explanation(ofRow: $0)
        }
    }

    func bindCells(to rows: Range<Int>) {
        for cell in screen.release(but: rows) { loader?.unbind(cell: cell) }
        for row in rows where screen.cell(of: row) == nil {
            loader?.bind(cell: screen.take(row), to: row)
        }
    }
}
