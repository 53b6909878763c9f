internal import LullLibC

/// A pool that limits the number of asynchronous operations in progress, and starts the most urgent
/// first.
///
/// It is for operations such as transfers what a ``WorkerPool`` is for computations: nothing leaves
/// the loop's thread. An operation is started from the loop, after the callback that submitted it.
/// Its outcome is delivered from the loop too, never from inside one of the operation's own calls.
/// Work is submitted by `IdleQueue.submit(_:priority:rank:on:kind:timeout:onEnd:start:then:)`.
///
/// A pool with nothing to start or deliver has no timer.
package final class OperationPool {
    /// How an operation is started.
    typealias Start = (OperationCompletion<any Sendable>) -> any PendingOperation

    /// The maximum number of operations in progress.
    package let width: Int

    let tasks: ExecutorTasks<Start>
    private let executor: LocalExecutor<Start>

    /// Creates a pool with `width` places, whose operations run on `loop`.
    ///
    /// Traps if the width is less than one.
    package init(width: Int, on loop: MainLoop) {
        precondition(width > 0, "an operation pool has at least one place")
        self.width = width
        let tasks = ExecutorTasks<Start>(on: loop.context)
        executor = LocalExecutor(
            width: width, clock: loop.clock,
            later: { [context = loop.context] body in
                _ = context.schedule(at: context.clock.now) { body() }
            },
            report: { [weak tasks] in tasks?.finish($0) },
            begin: { start, completion in start(completion) })
        tasks.executor = executor
        self.tasks = tasks
    }

    /// Whether another operation would have to wait for a place.
    package var isFull: Bool { counts.waiting + counts.running >= width }

    /// The number of operations in progress, and of those that wait for a place.
    package var counts: (running: Int, waiting: Int) { executor.counts }
}

/// The typed output of an operation, until the loop takes it.
final class PendingOutput<Output> {
    private var output: Output?
    private var isSet = false
    /// The work whose output it is.
    weak var work: OffLoopWork?

    /// Starts an operation; its first output is kept here, and its end is reported.
    func start(
        _ start: (OperationCompletion<Output>) -> any PendingOperation,
        _ completion: OperationCompletion<any Sendable>
    ) -> any PendingOperation {
        start(
            OperationCompletion { [weak self] result in
                guard let self, !isSet else { return }
                isSet = true
                completion(
                    result.map {
                        output = $0
                        return true
                    })
            } process: { [weak self] body in
                guard let self, !isSet else { return }
                work?.process?(body)
            })
    }

    func take() -> Output? { output.take() }
}
