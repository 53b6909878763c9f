// Tasks that live on the loop.
extension MainLoop {
    /// What actors live on that run on this loop; one of its own unless it serves another.
    public var executor: LoopExecutor { tasks.executor }

    /// Has the actors of `executor` live on this loop, until it's closed.
    ///
    /// A loop serves one executor, and says so before it is asked for its own. When it's closed,
    /// tasks that wait on it go on when another loop serves the executor. Throws `alreadyServed` if
    /// the loop has another executor, or the executor another loop; and `closed`.
    public func serve(_ executor: LoopExecutor) throws(LoopError) {
        guard !isClosed else { throw .closed }
        if let servedTasks {
            guard servedTasks.executor === executor else { throw .alreadyServed }
            return
        }
        guard begin(executor) else { throw .alreadyServed }
        servedTasks = LoopTasks(of: executor, on: context, observers)
    }

    /// What there is for tasks; on a loop that is closed, with an executor that no loop serves.
    var tasks: LoopTasks {
        if let servedTasks { return servedTasks }
        let tasks = LoopTasks(of: LoopExecutor(), on: context, observers)
        if !isClosed { _ = begin(tasks.executor) }
        servedTasks = tasks
        return tasks
    }

    /// Begins a task that lives on this loop, from the loop's thread; it runs from the next pass on.
    ///
    /// It may use all that is there, as any of the loop's callbacks may:
    ///
    /// ```swift
    /// loop.task {
    ///     for await _ in try loop.signals(SIGTERM) { loop.stop() }
    /// }
    /// ```
    ///
    /// On virtual time the whole task stays on the loop, also where it's isolated to nothing or
    /// `@concurrent`, so that it does the same in each run. From other threads it's an actor on the
    /// loop's executor that is called. Up to Swift 6.3 a closure with a capture list, such as
    /// `[weak self]`, leaves the loop when it's begun (swiftlang/swift#87097): let it capture what was
    /// named before. A closure in `main.swift` or in `@main`'s `main` is the main actor's, and waits
    /// for whoever serves that: begin tasks in a function, or see ``serveMainQueue()``. An async
    /// function of one's own that is isolated to nothing leaves the loop for as long as it runs, unless
    /// it's `nonisolated(nonsending)`, or its module has the upcoming feature
    /// `NonisolatedNonsendingByDefault`. On a closed loop the task fails with `closed`, without a call
    /// of `body`.
    @discardableResult
    public func task(_ body: @escaping () async throws -> Void) -> Task<Void, any Error> {
        guard !isClosed else { return Task { throw LoopError.closed } }
        precondition(inbox.isOnOwnThread, "a task is begun on a loop from its own thread")
        return tasks.home.begin(body)
    }

    /// Returns in the next lull, to a task that runs on this loop.
    ///
    /// The task goes on within that lull, and is one piece of work there: until it next waits, nothing
    /// else is. When several wait, each gets a lull of its own, in the order in which they came. A
    /// task that is cancelled goes on soon, with a slot that is over, and so does one whose loop is
    /// closed. A job that is a task goes on in a lull of its queue, where its own slot is the good one,
    /// and this one is over.
    ///
    /// ```swift
    /// let slot = await loop.idle()
    /// while !slot.isOver, let row = rows.popLast() { measure(row) }
    /// ```
    public func idle() async -> TaskSlot {
        precondition(
            isClosed || inbox.isOnOwnThread, "a task that waits for a loop's lull runs on that loop"
        )
        let slot = TaskSlot(of: tasks)
        if !Task.isCancelled { await slot.wait() }
        return slot
    }

    /// Has this loop run what is asked of an executor; false if another does.
    private func begin(_ executor: LoopExecutor) -> Bool {
        let loop = unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        return executor.begin(
            .init(owner: ObjectIdentifier(inbox), loop: loop) { [inbox] job, isGuest in
                inbox.addForTask(isGuest ? .guest(job) : .job(job))
            })
    }

    /// Ends all waits on this loop, and gives what tasks have left to do back to their executor.
    func closeTasks(_ messages: [Inbox.Message]) {
        guard let servedTasks else { return }
        servedTasks.executor.leave(ObjectIdentifier(inbox))
        for message in messages {
            switch message {
            case .job(let job): servedTasks.executor.add(job)
            case .guest(let job): servedTasks.executor.add(job, isGuest: true)
            case .call, .value, .taken: break
            }
        }
        servedTasks.close()
    }

    /// Runs a piece of a task, or has the queue run it in whose lull it belongs.
    func run(_ job: UnownedJob) {
        if let waiting = tasks.jobs[job.name] {
            waiting.goesOn(with: job)
        } else {
            tasks.run(job)
        }
    }
}

extension LoopExecutor {
    /// The loop that serves this executor, for what is isolated to it; nil if there is none, or the
    /// caller isn't on its thread.
    public func loop(isolation: isolated (any Actor)? = #isolation) -> MainLoop? { servingLoop }

    /// The loop, if the caller is on its thread.
    var servingLoop: MainLoop? {
        unsafe UnsafeRawPointer(bitPattern: servingLoopNumber).map { pointer in
            unsafe Unmanaged<MainLoop>.fromOpaque(pointer).takeUnretainedValue()
        }
    }
}

extension UnownedJob {
    /// What tells one task that is under way from others: it's run under one name from its beginning
    /// to its end.
    var name: UInt { unsafe unsafeBitCast(self, to: UInt.self) }
}
