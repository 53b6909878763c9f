internal import IdleLoop
internal import RandomPrograms
internal import TestSupport

/// What a callback is known by that was given to a loop: it is held by the callback alone.
final class Registration {
    private let object: LiveObjects.Object
    private weak let loop: MainLoop?
    private(set) var isOver = false
    private var callsLeft: Int

    /// A callback on `loop` that is called at most so often.
    init(on loop: MainLoop, _ live: LiveObjects, most: Int = .max) {
        self.loop = loop
        object = live.make()
        callsLeft = most
    }

    /// Notes a call; false if it was the last that there shall be.
    func call() -> Bool {
        precondition(!isOver, "nothing is called that is over")
        guard let loop, !loop.isClosed else {
            preconditionFailure("a loop that was closed calls nobody")
        }
        callsLeft -= 1
        return callsLeft > 0
    }

    /// Notes that it must not be called any more.
    func end() { isOver = true }
}
