import DeferredLoading
import IdleLoop
import ImageLoading

/// A picture that is decoded in slices.
final class SlicedPicture: Load {
    private let decoder: PictureJob

    init(_ decoder: PictureJob) { self.decoder = decoder }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Picture> {
        repeat {
            switch try decoder.step() {
            case .more, .waiting: continue
            case .refined(let picture): return .refined(picture)
            case .done(let picture): return .done(picture)
            }
        } while !slot.isOver
        return .more
    }
}
