internal import CLull
internal import IdleLoop

/// A C program's loop, with everything that was made on it.
@safe
final class GuestLoop {
    let loop: MainLoop
    let stage: Stage
    private(set) var handle = Handle(0)
    private var place: Place?
    /// The objects that were made on it and have handles.
    private var guests: [Handle: (guest: any Guest, place: Place)] = [:]
    /// A reference to itself, until it is closed.
    private var selfRetain: GuestLoop?

    init(adopting base: OpaquePointer?) throws(Refusal) {
        do {
            loop = unsafe try MainLoop(adopting: base)
        } catch {
            throw Refusal(error)
        }
        stage = try Stage()
        let place: Place
        do throws(Refusal) {
            place = try Place(of: self, LULL_KIND_LOOP)
        } catch {
            stage.vacate()
            throw error
        }
        self.place = place
        handle = place.handle
        Mailbox.open(handle, loop.inbox)
        selfRetain = self
    }

    /// Returns the loop that a handle names.
    static func named(_ handle: OpaquePointer?) throws(Refusal) -> GuestLoop {
        unsafe try Place.object(of: handle, LULL_KIND_LOOP)
    }

    /// Keeps an object that was made on the loop, and returns its handle; without one, it is
    /// removed.
    func add(_ guest: any Guest, _ kind: lull_kind) throws(Refusal) -> Handle {
        do throws(Refusal) {
            let place = try Place(of: guest, kind)
            guests[place.handle] = (guest, place)
            return place.handle
        } catch {
            guest.leave()
            throw error
        }
    }

    /// Removes an object from the loop; its handle is stale before any callback is called.
    func remove(_ handle: Handle) {
        guard let (guest, place) = guests.removeValue(forKey: handle) else { return }
        place.vacate()
        guest.leave()
    }

    /// Shuts down all queues; reports each by its handle, and calls `completion` after the last.
    func shutDown(
        within time: Duration, each: @escaping (Handle, ShutdownReport<UInt64>) -> Void,
        then completion: @escaping () -> Void
    ) {
        let queues = guests.compactMap { handle, entry in
            (entry.guest as? GuestQueue).map { (handle, $0) }
        }
        guard !queues.isEmpty else { return completion() }
        var left = queues.count
        for (handle, queue) in queues {
            queue.shutDown(as: handle, within: time) { report in
                each(handle, report)
                left -= 1
                if left == 0 { completion() }
            }
        }
    }

    /// Calls posts, each inside its own callback.
    func deliver(_ posts: [Post]) {
        for post in posts { stage.call { post.call(on: handle) } }
    }

    /// Reinitializes the loop in a forked child, with no posts.
    func reinitAfterFork() throws(Refusal) {
        guard !stage.isBusy else { throw Refusal(status: LULL_BUSY) }
        guard Mailbox.renew(handle) else { throw Refusal(.postingWhileForking) }
        do {
            try loop.reinitAfterFork()
        } catch {
            throw Refusal(error)
        }
    }

    /// Closes the loop and everything that was made on it.
    func close() throws(Refusal) {
        guard !stage.isBusy else { throw Refusal(status: LULL_BUSY) }
        deliver(Mailbox.close(handle))
        place?.vacate()
        // All handles are made stale before any callback is called, so that nothing is submitted
        // meanwhile.
        let leaving = guests.values.map(\.guest)
        for (_, place) in guests.values { place.vacate() }
        guests = [:]
        for guest in leaving { guest.leave() }
        loop.close()
        stage.vacate()
        selfRetain = nil
    }
}

/// An object that is made on a loop and has a handle of its own.
protocol Guest: AnyObject {
    /// Removes it from the loop.
    func leave()
}
