/// An asynchronous sequence of the events of a descriptor, a timer or a signal, for one task on the
/// loop.
///
/// It starts when it's created, so that no event is lost before the first `for await`. It ends when
/// the task is cancelled, when the loop is closed, or when the sequence is released; then nothing
/// of it is left on the loop. Events that arrive while the task is busy are combined into one.
public struct LoopEvents<Element>: AsyncSequence {
    private let buffer: EventBuffer<Element>

    init(_ buffer: EventBuffer<Element>) {
        self.buffer = buffer
    }

    /// Creates a sequence that combines pending events with `add`, and its sender;
    /// `stop` is called when the sequence ends.
    package static func sums(
        on loop: MainLoop, add: @escaping (Element?, Element) -> Element,
        stop: @escaping () -> Void
    ) -> (events: LoopEvents, sender: EventSender<Element>) {
        let buffer = EventBuffer(on: loop, add: add)
        buffer.stop = stop
        return (LoopEvents(buffer), EventSender(of: buffer))
    }

    /// Creates an iterator; all iterators of a sequence share its events.
    ///
    /// One task waits at a time: a second call of `next` while one waits returns nil.
    public func makeAsyncIterator() -> Iterator {
        Iterator(buffer: buffer)
    }

    /// An iterator over the events.
    public struct Iterator: AsyncIteratorProtocol {
        let buffer: EventBuffer<Element>

        /// Returns the events since the last call, or waits for the next one; nil when there will
        /// be no more.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> Element? {
            await buffer.next(isolation: actor)
        }

        /// Returns the events since the last call, or waits for the next one; nil when there will
        /// be no more.
        public mutating func next() async -> Element? {
            await buffer.next(isolation: #isolation)
        }
    }
}

extension MainLoop {
    /// Returns a sequence of what `descriptor` is ready for, one element each time that the task
    /// waits and it is ready.
    ///
    /// The descriptor is watched only while the task waits, or asks again within the same pass: one
    /// that stays ready while the task is busy elsewhere costs nothing. Throws as
    /// `watch(_:for:trigger:_:)` does.
    public func readiness(
        of descriptor: Int32, for readiness: Watch.Readiness = .readable
    ) throws(LoopError) -> LoopEvents<Watch.Readiness> {
        let buffer = EventBuffer<Watch.Readiness>(on: self) { $1.union($0 ?? []) }
        let sender = EventSender(of: buffer)
        let watch = try watch(descriptor, for: readiness) { ready in
            guard sender.isAwaited else { sender.watch?.pause(); return }
            sender.send(ready)
        }
        sender.watch = watch
        buffer.stop = { watch.cancel() }
        buffer.prepare = { [weak self] in
            guard !watch.isActive, let self else { return true }
            // Another file may have the number by now.
            guard WatchedFile(descriptor) == watch.file else { return false }
            return (try? resume(watch, of: descriptor, readiness.kind)) != nil
        }
        return LoopEvents(buffer)
    }

    /// Returns a sequence of the ticks of a periodic timer; of several missed ticks only the last
    /// is delivered.
    public func ticks(
        every period: Duration, tolerance: Duration? = nil
    ) -> LoopEvents<Instant> {
        let buffer = EventBuffer<Instant>(on: self) { $1 }
        let sender = EventSender(of: buffer)
        let timer = schedule(after: period, every: period, tolerance: tolerance) {
            [clock] in sender.send(clock.now)
        }
        buffer.stop = { timer.cancel() }
        return LoopEvents(buffer)
    }

    /// Returns a sequence of signals, whose elements are the number of deliveries since the last
    /// element.
    ///
    /// Throws as `watch(signal:_:)` does, with the same limit: only one loop of a process can watch
    /// signals.
    public func signals(_ number: Int32) throws(LoopError) -> LoopEvents<Int> {
        let buffer = EventBuffer<Int>(on: self) { ($0 ?? 0) + $1 }
        let sender = EventSender(of: buffer)
        let watch = try self.watch(signal: number) { sender.send(1) }
        buffer.stop = { watch.cancel() }
        return LoopEvents(buffer)
    }
}
