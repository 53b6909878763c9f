public import DeferredLoading
internal import IdleLoop

// Transfers for loaders.
extension Fetch where Fetched == HTTPLoadResponse {
    /// A fetch of what is at an address.
    ///
    /// Any source may use it, for anything that is made of bytes; the transfers of rows that have left
    /// are cancelled. For pictures there is `PictureSource`, which takes a loader as its transport.
    ///
    /// ```swift
    /// func fetch(_ page: Int) -> Fetch<HTTPLoadResponse>? {
    ///     Fetch("https://example.org/pages/\(page).json", by: http)
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
