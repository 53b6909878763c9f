internal import LullLibC

// Tasks that run on the loop.
extension MainLoop {
    /// The executor for actors that run on this loop; the loop creates one unless it serves
    /// another.
    public var executor: LoopExecutor { tasks.executor }

    /// Serves an executor: its actors run on this loop until the loop is closed.
    ///
    /// A loop serves one executor, which doesn't keep it alive: keep a guest of another loop, which
    /// no `run` keeps. Call this before the loop's own `executor` is first used. When
    /// the loop is closed, waiting tasks continue when another loop serves the executor. Throws
    /// `alreadyServed` if the loop has another executor or the executor another loop, and `closed`
    /// if the loop is closed.
    public func serve(_ executor: LoopExecutor) throws(LoopError) {
        guard !isClosed else { throw .closed }
        if let servedTasks {
            guard servedTasks.executor === executor else { throw .alreadyServed }
            return
        }
        guard begin(executor) else { throw .alreadyServed }
        servedTasks = LoopTasks(of: executor, on: context, turn.workers)
    }

    /// The support for tasks; on a closed loop, with an executor that no loop serves.
    var tasks: LoopTasks {
        if let servedTasks { return servedTasks }
        let tasks = LoopTasks(of: LoopExecutor(), on: context, turn.workers)
        if !isClosed { _ = begin(tasks.executor) }
        servedTasks = tasks
        return tasks
    }

    /// Runs a piece of a task on a lane, or in a lull of the loop's own.
    func run(_ piece: TaskPiece) {
        let pieces = taskPieces ?? LaneTasks(on: self)
        taskPieces = pieces
        pieces.submit(piece)
    }

    /// Begins a task on this loop, from the loop's thread; it first runs in the next pass.
    ///
    /// The task may use everything that is confined to the loop, as the loop's callbacks may:
    ///
    /// ```swift
    /// loop.task {
    ///     try await loop.taskClock.sleep(for: .seconds(3600))
    ///     loop.stop()
    /// }
    /// ```
    ///
    /// On virtual time the whole task stays on the loop, even where it's isolated to nothing or
    /// `@concurrent`, so that each run gives the same result. From another thread, call an actor on
    /// the loop's executor instead.
    ///
    /// Up to Swift 6.3, a closure with a capture list, such as `[weak self]`, leaves the loop when
    /// it begins (swiftlang/swift#87097): capture a variable that was declared before. A closure in
    /// code of the main actor, such as `main.swift`, is isolated to it, and runs on the main
    /// thread's loop, too, which serves that actor: see ``serveMainQueue()``. An async function
    /// that is isolated to nothing leaves the loop while it runs, unless it's
    /// `nonisolated(nonsending)` or its module enables the upcoming feature
    /// `NonisolatedNonsendingByDefault`. On a closed loop the task fails with `closed`, and `body`
    /// isn't called. Traps if it's called on another thread.
    @discardableResult
    public func task(_ body: @escaping () async throws -> Void) -> Task<Void, any Error> {
        guard !isClosed else { return Task { throw LoopError.closed } }
        precondition(inbox.isOnOwnThread, "a task is begun on a loop from its own thread")
        return tasks.isolation.begin(body)
    }

    /// Waits for the next lull, in a task that runs on this loop.
    ///
    /// The task continues within that lull, as one piece of work: until it next waits, nothing else
    /// runs. When several tasks wait, each gets a lull of its own, in the order of their calls. A
    /// task that is cancelled, or whose loop is closed, continues soon with a slot that is over.
    ///
    /// ```swift
    /// while !rows.isEmpty, !Task.isCancelled {
    ///     let slot = await loop.idle()
    ///     while !slot.isOver, let row = rows.popLast() { measure(row) }
    /// }
    /// ```
    ///
    /// Traps if the task runs on another thread.
    public func idle() async -> TaskSlot {
        precondition(
            inbox.isOnOwnThread || isClosed, "a task that waits for a loop's lull runs on that loop"
        )
        let slot = TaskSlot(of: tasks)
        if !Task.isCancelled { await slot.wait() }
        return slot
    }

    /// Connects an executor to this loop; returns false if another loop serves it.
    private func begin(_ executor: LoopExecutor) -> Bool {
        let service = unsafe LoopExecutor.Service(
            owner: ObjectIdentifier(inbox), loop: .passUnretained(self)
        ) { [inbox] job, isForeign in
            inbox.add(isForeign ? .foreign(job) : .job(job), evenIfFull: true)
        }
        return executor.begin(service)
    }

    /// Ends all waits on this loop, and returns the tasks' pending jobs to their executor.
    func closeTasks(_ messages: [Inbox.Message]) {
        servedTasks?.executor.leave(ObjectIdentifier(inbox))
        for message in messages {
            switch message {
            case .job(let job): servedTasks?.executor.add(job)
            case .foreign(let job): servedTasks?.executor.add(job, isForeign: true)
            case .piece(let piece): piece.runElsewhere()
            case .call: break
            }
        }
        servedTasks?.close()
    }
}

extension LoopExecutor {
    /// The loop that serves the executor, if the caller is on its thread.
    var servingLoop: MainLoop? { servingOwner as? MainLoop }

    /// Returns the loop that serves this executor; nil if there is none, or if the caller isn't on
    /// its thread.
    public func loop(isolation: isolated (any Actor)? = #isolation) -> MainLoop? { servingLoop }
}
