internal import LullLibC
internal import DeferredLoading
internal import IdleLoop

/// The load of a picture: the steps of its way to a value, in slices that run anywhere.
final class PictureLoad<Recipe: PictureRecipe>: SendableLoad {
    typealias Value = Recipe.Value

    // Who steps the load has it for itself; the lock is never waited for.
    private let slices: Guarded<PictureSlices<Recipe>>

    init(
        _ sequence: sending PictureSequence<Recipe>, hasWorkers: Bool,
        onStep: PictureStepHook<Recipe.Key>
    ) {
        slices = Guarded(PictureSlices(sequence, hasWorkers: hasWorkers, onStep: onStep))
    }

    var size: Int { slices.withLockIfAvailable { $0.sequence.size } ?? 0 }

    /// What is to be recorded when the load has ended.
    var record: PictureRecord<Value> { slices.withLock { $0.record } }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Value> {
        try slices.withLock { slices in
            Result { () throws(PictureError) in try slices.step(in: slot) }
        }.get()
    }
}

/// The facts of a load that has ended.
struct PictureRecord<Value: Sendable>: Sendable {
    /// The state of the file before it was read.
    let stamp: FileStamp?
    /// The decoded picture and its header; nil if the value was on disk.
    let made: (picture: Picture, header: PictureHeader?)?
    /// The time that decoding took, and the whole load.
    let decoding: Duration
    let spent: Duration
}

/// The steps of a picture's way to a value, in slices, with the time that they take.
struct PictureSlices<Recipe: PictureRecipe> {
    let sequence: PictureSequence<Recipe>
    private let hasWorkers: Bool
    private let onStep: PictureStepHook<Recipe.Key>
    /// The longest step so far; another one starts only if it would fit into the rest of the slice.
    private var grain = Duration.zero
    private var spent = Duration.zero
    /// The time that decoding took, so far or in all.
    private var decoding = Duration.zero

    init(
        _ sequence: PictureSequence<Recipe>, hasWorkers: Bool,
        onStep: PictureStepHook<Recipe.Key>
    ) {
        self.sequence = sequence
        self.hasWorkers = hasWorkers
        self.onStep = onStep
    }

    var record: PictureRecord<Recipe.Value> {
        PictureRecord(
            stamp: sequence.task.stamp, made: sequence.made, decoding: decoding, spent: spent)
    }

    /// Performs the steps of a slice of a load.
    mutating func step(
        in slot: borrowing IdleSlot
    ) throws(PictureError) -> LoadStep<Recipe.Value> {
        switch try run(in: slot, until: { _ in false }) {
        case .more: return .more
        case .waiting: return .waiting
        case .refined(let picture):
            let task = sequence.task
            return task.recipe.preview(picture, for: task.key).map { .refined($0) } ?? .more
        case .done(let value): return .done(value)
        }
    }

    /// Performs steps until the slice is over, there is something to show, or much memory is to be
    /// taken, which the loader is told of before; or until `isOver` returns true after a step.
    mutating func run(
        in slot: borrowing IdleSlot, until isOver: (PictureSequence<Recipe>) -> Bool
    ) throws(PictureError) -> PictureStep<Recipe.Value> {
        var (last, grain) = (slot.now, grain)
        let (start, held, before) = (last, sequence.size, spent)
        defer {
            sequence.job?.leaveThread()
            self.grain = grain
        }
        /// Notes the end of a step; returns whether another one would fit.
        func fits() -> Bool {
            let now = slot.now
            grain = max(grain, last.duration(to: now))
            last = now
            return now.advanced(by: grain) < slot.sliceEnd
        }
        let isStepped = onStep.isOn
        while true {
            let isDecoded = sequence.picture != nil
            let isLookup = sequence.job == nil && !isDecoded
            let step = try sequence.step { !isStepped && fits() }
            if isStepped, !isLookup { onStep(sequence.task.key) }
            let goesOn = fits()
            spent = before + start.duration(to: last)
            if !isDecoded { decoding = spent }
            guard case .more = step, !isOver(sequence) else { return step }
            if !slot.isOnLane { try checkSteps() }
            guard goesOn, sequence.size - held < LoaderConfiguration.muchMemory else { return step }
        }
    }

    /// Throws if the steps of decoding a picture are too long for a loop.
    private func checkSteps() throws(PictureError) {
        guard sequence.picture == nil, let format = sequence.job?.header?.format,
            format.needsWorker
        else { return }
        // With workers, one of them decodes it on the next attempt.
        throw sequence.task.error(
            hasWorkers ? .cannotRead(errno: EAGAIN) : .unsupported("\(format) without a worker"))
    }
}

/// A closure that is called at each step of a load on virtual time.
final class PictureStepHook<Key: Hashable & Sendable>: Sendable {
    // On virtual time nothing leaves the loop's thread, and elsewhere it isn't called.
    nonisolated(unsafe) var body: ((Key) -> Void)?
    private let isVirtual: Bool

    init(isVirtual: Bool) { self.isVirtual = isVirtual }

    var isOn: Bool { isVirtual }

    func callAsFunction(_ key: Key) { unsafe body?(key) }
}

/// A load of a value that is already available.
final class GivenLoad<Value>: Load {
    private let value: Value

    init(_ value: Value) { self.value = value }

    func step(in slot: borrowing IdleSlot) -> LoadStep<Value> { .done(value) }
}
