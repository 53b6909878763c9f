internal import IdleLoop
internal import TestSupport

/// What a callback is known by that was given to a loop: it is held by the callback alone.
final class Registration {
    private let object: LiveObjects.Object
    private weak let program: LoopProgram?
    private weak let loop: MainLoop?
    private(set) var isOver = false
    private var callsLeft: Int

    /// A callback of a program on `loop` that is called at most so often.
    init(in program: LoopProgram, on loop: MainLoop, most: Int = .max) {
        self.program = program
        self.loop = loop
        object = program.live.make()
        callsLeft = most
    }

    // What a callback holds may call anything as it's let go of.
    deinit { program?.lastWord() }

    /// Notes a call; false if it was the last that there shall be.
    func call() -> Bool {
        program?.expect(!isOver, "nothing is called that is over")
        program?.expect(loop?.isClosed == false, "a loop that was closed calls nobody")
        callsLeft -= 1
        return callsLeft > 0
    }

    /// Notes that it must not be called any more.
    func end() { isOver = true }
}
