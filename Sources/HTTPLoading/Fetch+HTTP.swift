public import DeferredLoading
internal import IdleLoop

// Transfers for loaders.
extension Fetch where Fetched == HTTPLoadResponse {
    /// A fetch of what is at an address.
    ///
    /// Any source may use it, for anything that is made of bytes. One of pictures decodes them in the
    /// lulls, and its loader cancels the transfers of rows that have left:
    ///
    /// ```swift
    /// struct Covers: LoadSource {
    ///     let http: HTTPLoader
    ///
    ///     func fetch(_ album: Int) -> Fetch<HTTPLoadResponse>? {
    ///         Fetch("https://example.org/covers/\(album).jpg", by: http)
    ///     }
    ///
    ///     func load(_ album: Int, fetched body: HTTPLoadResponse?) throws -> any Load<Picture> {
    ///         guard let body else { throw CancellationError() }
    ///         return Cover(PictureJob(bytes: body.bytes, named: body.url, fitting: box))
    ///     }
    /// }
    ///
    /// final class Cover: Load {
    ///     let decoder: PictureJob
    ///
    ///     init(_ decoder: PictureJob) { self.decoder = decoder }
    ///
    ///     func step(in slot: borrowing IdleSlot) throws -> LoadStep<Picture> {
    ///         repeat {
    ///             if case .done(let picture) = try decoder.step() { return .done(picture) }
    ///         } while !slot.isOver
    ///         return .more
    ///     }
    /// }
    /// ```
    ///
    /// The loader needs no workers. An ``HTTPLoadError`` says itself whether it's worth another try.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - loader: Who asks.
    ///   - cost: How long it's expected to take.
    public init(
        _ request: HTTPLoadRequest, by loader: HTTPLoader, cost: Duration = .milliseconds(100)
    ) {
        self.init(cost: cost) { completion in
            loader.fetch(request) { result in
                completion(result.mapError { $0 })
            }
        }
    }
}
