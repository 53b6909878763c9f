internal import CLull
internal import IdleLoop
internal import LullCalls

/// A C program's loop, with everything that was made on it.
@safe
final class CLoop {
    let loop: MainLoop
    /// The host of a loop of `lull_adopt_fd`.
    private let processor: DescriptorHost?
    let scope: CallbackScope
    private(set) var handle = Handle(0)
    private var entry: HandleEntry?
    /// The objects that were made on it and have handles.
    private var objects: [Handle: (object: any LoopObject, entry: HandleEntry)] = [:]
    /// Jobs whose ends are told when lanes have left their bodies.
    private var leaving = LeavingJobs()
    /// A reference to itself, until it is closed.
    private var selfRetain: CLoop?

    /// Creates a loop by `make`; `processor` is its host if that is one of descriptors.
    init(
        _ processor: DescriptorHost? = nil, _ make: () throws(LoopError) -> MainLoop
    ) throws(StatusError) {
        self.processor = processor
        do throws(LoopError) {
            loop = try make()
        } catch {
            throw StatusError(error)
        }
        scope = try CallbackScope()
        let entry: HandleEntry
        do throws(StatusError) {
            entry = try HandleEntry(of: self, LULL_KIND_LOOP)
        } catch {
            scope.free()
            throw error
        }
        self.entry = entry
        handle = entry.handle
        PostQueue.open(handle, loop.inbox)
        loop.whenLanesReturn { [unowned self] in tellEnds() }
        selfRetain = self
    }

    /// Returns the loop that a handle names.
    static func named(_ handle: OpaquePointer?) throws(StatusError) -> CLoop {
        unsafe try HandleEntry.object(of: handle, LULL_KIND_LOOP)
    }

    /// Keeps an object that was made on the loop, and returns its handle; without one, it is
    /// removed.
    func add(_ object: any LoopObject, _ kind: lull_kind) throws(StatusError) -> Handle {
        do throws(StatusError) {
            let entry = try HandleEntry(of: object, kind)
            objects[entry.handle] = (object, entry)
            return entry.handle
        } catch {
            object.close()
            throw error
        }
    }

    /// Removes an object from the loop; its handle is stale before any callback is called.
    func remove(_ handle: Handle) {
        guard let (object, entry) = objects.removeValue(forKey: handle) else { return }
        entry.free()
        object.close()
    }

    /// Shuts down all queues; reports each by its handle, and calls `completion` after the last.
    func shutDown(
        within time: Duration, each: @escaping (Handle, ShutdownReport<UInt64>) -> Void,
        then completion: @escaping () -> Void
    ) {
        let queues = objects.compactMap { handle, entry in
            (entry.object as? CQueue).map { (handle, $0) }
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
        for post in posts { scope.call { post.call(on: handle) } }
    }

    /// Ends a body that lanes may be inside of, and calls `tell` as soon as none is.
    func end(_ body: AnywhereBody, _ tell: @escaping () -> Void) {
        if leaving.end(body, tell) { tell() }
    }

    /// Tells the ends of jobs that lanes have left.
    private func tellEnds(waiting: Bool = false) {
        for tell in leaving.take(waiting: waiting) { tell() }
    }

    /// Serves a loop of `lull_adopt_fd`.
    func process(wasBusy: Bool) throws(StatusError) {
        guard !scope.isBusy else { throw .busy }
        guard let processor else { throw .invalid("loop", "isn't one of lull_adopt_fd") }
        processor.process(wasBusy: wasBusy)
    }

    /// Reinitializes the loop in a forked child, with no posts.
    func reinitAfterFork() throws(StatusError) {
        guard !scope.isBusy else { throw .busy }
        guard PostQueue.renew(handle) else { throw StatusError(.postingWhileForking) }
        do {
            try loop.reinitAfterFork()
        } catch {
            throw StatusError(error)
        }
        tellEnds()
    }

    /// Closes the loop and everything that was made on it.
    func close() throws(StatusError) {
        guard !scope.isBusy else { throw .busy }
        deliver(PostQueue.close(handle))
        entry?.free()
        // All handles are made stale before any callback is called, so that nothing is submitted
        // meanwhile.
        let closing = objects.values.map(\.object)
        for (_, entry) in objects.values { entry.free() }
        objects = [:]
        for object in closing { object.close() }
        tellEnds(waiting: true)
        loop.close()
        scope.free()
        selfRetain = nil
    }
}

/// An object that is made on a loop and has a handle of its own.
protocol LoopObject: AnyObject {
    var loop: CLoop { get }
    /// Removes it from the loop.
    func close()
}

/// Removes the object that a handle names from its loop, and returns the status for C.
func remove<Object: LoopObject>(
    _ handle: OpaquePointer?, _ kind: lull_kind, _ type: Object.Type,
    for function: StaticString = #function
) -> lull_status {
    status(function) { () throws(StatusError) in
        unsafe try HandleEntry.object(of: handle, kind, as: type).loop.remove(Handle(handle))
        return LULL_OK
    }
}

/// A C program's observer or timer.
final class CRegistration: LoopObject {
    unowned let loop: CLoop
    var cancel: () -> Void = {}

    init(on loop: CLoop) {
        self.loop = loop
    }

    func close() {
        cancel()
    }
}
