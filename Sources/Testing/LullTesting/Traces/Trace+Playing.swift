public import DeferredLoading
internal import Foundation
internal import IdleLoop
internal import LullLibC
public import ScrollModel

extension Trace {
    /// Plays the trace into a list, from now on: its inputs, and frames with the list's offsets.
    ///
    /// It returns at once; the list's loop then plays, and on virtual time its `run` returns when all
    /// is over. Inputs arrive as from outside, at times of which the loop doesn't know beforehand.
    ///
    /// ```swift
    /// let loop = try MainLoop(clock: .virtual(VirtualTime()))
    /// let list = try DeferredList(on: loop, viewport, source: thumbnails) { row in
    ///     row
    /// } show: { row, state in
    ///     if let picture = state.shown { cells[row].show(picture) }
    /// }
    /// try Trace(contentsOf: "fling.jsonl").play(into: list)
    /// try loop.run()
    /// #expect(list.viewport.visibleRows.allSatisfy { list.state(ofRow: $0).isSettled })
    /// ```
    ///
    /// Playing ends early when the list is closed or released. To measure what was blank and what was
    /// wasted, use ``Replay/init(of:options:list:)``. O(n log n) for n inputs and offsets.
    ///
    /// - Parameters:
    ///   - list: the list, as it stands unless the trace has offsets. Those are clamped to it.
    ///   - hz: the number of frames a second.
    ///   - scroller: the scroller that flings the list, if the trace has no offsets.
    ///   - onFrame: called after each frame, with the time since the start of the trace.
    /// - Returns: the time, on the loop's clock, at which the list has come to rest: the last frame is
    ///   the first one then or later.
    ///
    /// Traps if the rate isn't 1 to 1,000 Hz.
    @discardableResult
    public func play<Key, Value>(
        into list: DeferredList<Key, Value>, hz: Int = 60,
        scroller: Scroller = Scroller(.chromium), onFrame: ((Duration) -> Void)? = nil
    ) -> Instant {
        precondition(hz > 0 && hz <= 1000, "1 to 1000 frames a second")
        let loop = list.loader.queue.loop
        let path = OffsetPath(of: self, in: list.viewport, scroller: scroller)
        let start = loop.clock.now
        let end = start + (path.end - .zero)
        var steps = ListStep.all(of: self, along: path)[...]
        /// Tells the list of all inputs up to a time of the trace.
        func tell(_ list: DeferredList<Key, Value>, until time: Instant) {
            while let step = steps.first, step.time <= time {
                steps.removeFirst()
                list.handle(
                    step.event, at: start + (step.time - .zero),
                    offset: path.offset(at: step.time))
            }
        }
        let port = loop.receive(at: steps.map { start + ($0.time - .zero) }) {
            [weak list, unowned loop] in
            if let list { tell(list, until: .zero + (loop.clock.now - start)) }
        }
        var timer: LoopTimer?
        timer = loop.schedule(at: start, every: .nanoseconds(1_000_000_000 / hz)) {
            [weak list, unowned loop] in
            let now = loop.clock.now
            if let list, list.isOpen {
                let time = Instant.zero + (now - start)
                tell(list, until: time)
                list.scrolled(to: path.offset(at: time), at: now)
                onFrame?(now - start)
                guard now >= end else { return }
            }
            timer?.cancel()
            loop.close(port)
        }
        return end
    }
}

extension MainLoop {
    /// Calls `body` on the loop at each of these times, which are in order and of which the loop
    /// doesn't know beforehand: those of events from outside.
    ///
    /// It is called until the returned port is closed.
    func receive(at times: [Instant], _ body: @escaping () -> Void) -> InboxPort<Void> {
        let port = port(of: Void.self, body)
        switch clock {
        case .virtual(let time):
            for moment in times { time.at(moment) { port.send(()) } }
        case .monotonic:
            Thread.detachNewThread {
                for moment in times {
                    let rest = LoopClock.monotonic.now.duration(to: moment)
                    if rest > .zero { Thread.sleep(forTimeInterval: rest.inSeconds) }
                    port.send(())
                }
            }
        }
        return port
    }
}
