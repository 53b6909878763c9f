import DeferredLoading
import IdleLoop
import ImageLoading

/// A picture that a worker has decoded.
final class FetchedPicture: Load {
    private let picture: Picture

    init(_ picture: Picture) { self.picture = picture }

    func step(in slot: borrowing IdleSlot) -> LoadStep<Picture> { .done(picture) }
}
