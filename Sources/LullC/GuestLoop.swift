internal import CLull
internal import IdleLoop

/// A loop as C knows it, with all that was made on it.
@safe
final class GuestLoop {
    let loop: MainLoop
    let stage: Stage
    private(set) var handle = Handle(0)
    private var place: Place?
    /// What was made on it and has a handle.
    private var guests: [Handle: (guest: any Guest, place: Place)] = [:]
    /// Itself, until it's closed.
    private var keeper: GuestLoop?

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
        keeper = self
    }

    /// The loop that a handle names.
    static func named(_ handle: OpaquePointer?) throws(Refusal) -> GuestLoop {
        unsafe try Place.object(of: handle, LULL_KIND_LOOP)
    }

    /// Keeps what was made on the loop, and gives its handle; what there's no place for leaves.
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

    /// Has what a handle names leave the loop; the handle is stale before anybody is told.
    func remove(_ handle: Handle) {
        guard let (guest, place) = guests.removeValue(forKey: handle) else { return }
        place.vacate()
        guest.leave()
    }

    /// Shuts down all queues that are there; tells of each by its handle, and when the last has ended.
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

    /// Calls what was posted, each inside its own callback.
    func deliver(_ posts: [Post]) {
        for post in posts { stage.call { post.call(on: handle) } }
    }

    /// Makes the loop a forked child's own, with nothing posted.
    func reinitAfterFork() throws(Refusal) {
        guard !stage.isBusy else { throw Refusal(status: LULL_BUSY) }
        guard Mailbox.renew(handle) else { throw Refusal(.postingWhileForking) }
        do {
            try loop.reinitAfterFork()
        } catch {
            throw Refusal(error)
        }
    }

    /// Ends all that is on the loop, and the loop.
    func close() throws(Refusal) {
        guard !stage.isBusy else { throw Refusal(status: LULL_BUSY) }
        deliver(Mailbox.close(handle))
        place?.vacate()
        // All handles are stale before anybody is told: nothing is handed in meanwhile.
        let leaving = guests.values.map(\.guest)
        for (_, place) in guests.values { place.vacate() }
        guests = [:]
        for guest in leaving { guest.leave() }
        loop.close()
        stage.vacate()
        keeper = nil
    }
}

/// What is made on a loop and has a handle of its own.
protocol Guest: AnyObject {
    /// Takes it off the loop.
    func leave()
}
