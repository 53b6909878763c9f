/// What comes from a descriptor, a timer or a signal, for one task on the loop to take in its time.
///
/// It begins when it's made, so that nothing is lost before the first `for await`, and is over when
/// the task is cancelled, the loop is closed, or nobody has it any more: then nothing of it is left
/// on the loop. What comes while the task is busy is added up.
public struct LoopEvents<Element>: AsyncSequence {
    private let flow: EventFlow<Element>

    init(_ flow: EventFlow<Element>) {
        self.flow = flow
    }

    /// A sequence of sums, and what sends to it; `stop` is called when nobody takes from it any more.
    package static func sums(
        on loop: MainLoop, add: @escaping (Element?, Element) -> Element,
        stop: @escaping () -> Void
    ) -> (events: LoopEvents, end: FlowEnd<Element>) {
        let flow = EventFlow(on: loop, add: add)
        flow.stop = stop
        return (LoopEvents(flow), FlowEnd(of: flow))
    }

    /// Takes what comes; all iterators of one sequence take from the same, one task at a time: a
    /// second that asks while one waits is told that there is nothing more for it.
    public func makeAsyncIterator() -> Iterator {
        Iterator(flow: flow)
    }

    /// Who takes what comes.
    public struct Iterator: AsyncIteratorProtocol {
        let flow: EventFlow<Element>

        /// What has come since the last call, or comes next; nil when there will be no more.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> Element? {
            await flow.next(isolation: actor)
        }

        /// What has come since the last call, or comes next; nil when there will be no more.
        public mutating func next() async -> Element? {
            await flow.next(isolation: #isolation)
        }
    }
}

extension MainLoop {
    /// What `descriptor` is ready for, each time that the task asks and it is.
    ///
    /// It's watched only while the task waits, or comes back within the pass: one that stays ready
    /// while the task is busy elsewhere costs nothing. Throws as `watch(_:for:trigger:_:)` does.
    public func readiness(
        of descriptor: Int32, for readiness: Watch.Readiness = .readable
    ) throws(LoopError) -> LoopEvents<Watch.Readiness> {
        let flow = EventFlow<Watch.Readiness>(on: self) { $1.union($0 ?? []) }
        let end = FlowEnd(of: flow)
        let watch = try watch(descriptor, for: readiness) { ready in
            guard end.isAwaited else { end.watch?.pause(); return }
            end.send(ready)
        }
        end.watch = watch
        flow.stop = { watch.cancel() }
        flow.prepare = { [weak self] in
            guard !watch.isActive, let self else { return true }
            return (try? resume(watch, of: descriptor, readiness.kind)) != nil
        }
        return LoopEvents(flow)
    }

    /// The moments of a clock that ticks each `period`, of several that have passed the last.
    public func ticks(
        every period: Duration, tolerance: Duration? = nil
    ) -> LoopEvents<Instant> {
        let flow = EventFlow<Instant>(on: self) { $1 }
        let end = FlowEnd(of: flow)
        let timer = schedule(after: period, every: period, tolerance: tolerance) {
            [clock] in end.send(clock.now)
        }
        flow.stop = { timer.cancel() }
        return LoopEvents(flow)
    }

    /// How often a signal has come, each time that it has.
    ///
    /// Throws as `watch(signal:_:)` does, with the same limit: of all loops in a process only one
    /// can watch signals.
    public func signals(_ number: Int32) throws(LoopError) -> LoopEvents<Int> {
        let flow = EventFlow<Int>(on: self) { ($0 ?? 0) + $1 }
        let end = FlowEnd(of: flow)
        let watch = try self.watch(signal: number) { end.send(1) }
        flow.stop = { watch.cancel() }
        return LoopEvents(flow)
    }
}
