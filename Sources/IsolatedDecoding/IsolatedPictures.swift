public import DeferredLoading
public import IdleLoop
public import ImageLoading

/// Pictures for a loader that are decoded in helper processes, for lists of strangers' files.
///
/// ```swift
/// let source = IsolatedPictures(IsolatedDecoder(on: loop))
/// let loader = DeferredLoader(queue: queue, source: source)
/// ```
///
/// Nothing of a file is read in this process. A row that leaves takes its request back; one whose
/// helper died, hung or lied fails by itself, and isn't tried again unless somebody asks.
public struct IsolatedPictures: LoadSource {
    /// Who decodes.
    public let decoder: IsolatedDecoder
    /// What a file may cost.
    public var limits: PictureLimits
    /// What a picture is expected to take.
    public var cost: Duration

    /// A source of pictures that `decoder` decodes.
    ///
    /// - Parameters:
    ///   - decoder: Who decodes; one may serve several loaders of its loop.
    ///   - limits: What a file may cost.
    ///   - cost: What a picture is expected to take, for rules that look ahead.
    public init(
        _ decoder: IsolatedDecoder, limits: PictureLimits = PictureLimits(),
        cost: Duration = .milliseconds(20)
    ) {
        self.decoder = decoder
        self.limits = limits
        self.cost = cost
    }

    /// The whole of the work: it goes on in the helper, beside the loop.
    public func fetch(_ request: PictureRequest) -> Fetch<Picture>? {
        Fetch(cost: cost) { completion in
            decoder.decode(path: request.path, fitting: request.box, limits: limits) { result in
                completion(result.mapError { $0 })
            }
        }
    }

    /// What the helper has sent, which needs no more work.
    ///
    /// - Parameters:
    ///   - request: The file, and what is to be shown of it.
    ///   - fetched: What the helper has sent.
    /// - Returns: A load that is done with its first step.
    public func load(_ request: PictureRequest, fetched: Picture?) -> any Load<Picture> {
        guard let picture = fetched else {
            preconditionFailure("a picture that a helper decodes is fetched before it is loaded")
        }
        return Decoded(picture)
    }

    /// The bytes of a picture's pixels.
    public func size(of picture: Picture) -> Int { picture.pixels.count }

    /// The bytes of a picture's pixels.
    public func size(ofFetched fetched: Picture) -> Int { fetched.pixels.count }

    /// Again where only the helpers were short of something; never for the file's own fault.
    public func retry(
        _ request: PictureRequest, after error: any Error, failures: Int
    ) -> LoadRetry {
        guard let error = error as? IsolatedError else {
            return .usual(after: error, failures: failures)
        }
        return error.mayPass && failures < 5 ? .later : .never
    }

    private final class Decoded: Load {
        private let picture: Picture

        init(_ picture: Picture) { self.picture = picture }

        func step(in slot: borrowing IdleSlot) -> LoadStep<Picture> { .done(picture) }
    }
}

extension IsolatedDecoder.Request: PendingOperation {}
