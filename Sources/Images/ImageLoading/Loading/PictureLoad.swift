internal import DeferredLoading
internal import IdleLoop

/// The steps of a picture's way to a value that are done on the loop, in slices.
final class PictureLoad<Recipe: PictureRecipe>: Load {
    /// The memory of a decoder that its loader decides about before it is taken.
    private static var muchMemory: Int { 1 << 20 }

    let sequence: PictureSequence<Recipe>
    private let source: PicturePipeline<Recipe>
    /// The longest step so far; another one starts only if it would fit into the rest of the slice.
    private var grain = Duration.zero
    private var spent = Duration.zero
    /// The time that decoding took, so far or in all.
    private var decoding = Duration.zero

    init(_ sequence: PictureSequence<Recipe>, of source: PicturePipeline<Recipe>) {
        self.sequence = sequence
        self.source = source
    }

    var size: Int { sequence.size }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Recipe.Value> {
        do throws(PictureError) {
            switch try run(in: slot, until: { _ in false }) {
            case .more: return .more
            case .waiting: return .waiting
            case .refined(let picture):
                let task = sequence.task
                return task.recipe.preview(picture, for: task.key).map { .refined($0) } ?? .more
            case .done(let value):
                return .done(source.ended(with: value, by: sequence, decoding, spent))
            }
        } catch {
            throw source.failed(sequence.task.key, error, sequence.task.stamp)
        }
    }

    /// Performs steps until the slice is over, there is something to show, or much memory is to be
    /// taken, which the loader is told of before; or until `isOver` returns true after a step.
    func run(
        in slot: borrowing IdleSlot, until isOver: (PictureSequence<Recipe>) -> Bool
    ) throws(PictureError) -> PictureStep<Recipe.Value> {
        var last = slot.now
        repeat {
            let (held, isDecoded) = (sequence.size, sequence.picture != nil)
            let isLookup = sequence.job == nil && !isDecoded
            let step = try sequence.step()
            if !isLookup { source.onStep?(sequence.task.key) }
            let now = slot.now
            let took = last.duration(to: now)
            spent += took
            if !isDecoded { decoding = spent }
            guard case .more = step, !isOver(sequence) else { return step }
            try source.checkSteps(of: sequence)
            if sequence.size - held >= Self.muchMemory { return step }
            grain = max(grain, took)
            last = now
        } while last.advanced(by: grain) < slot.sliceEnd
        return .more
    }
}

/// A load of a value that is already available.
final class GivenLoad<Value>: Load {
    private let value: Value

    init(_ value: Value) { self.value = value }

    func step(in slot: borrowing IdleSlot) -> LoadStep<Value> { .done(value) }
}
