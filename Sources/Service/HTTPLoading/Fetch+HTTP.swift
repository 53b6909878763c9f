public import DeferredLoading
internal import IdleLoop

// Transfers for loaders.
extension Fetch where Fetched == HTTPLoadResponse {
    /// Creates a fetch of the resource at a URL.
    ///
    /// Any source may use it, for any value that is made from bytes; the transfers of rows that
    /// have left the screen are cancelled. For pictures there is `PictureSource`, which takes a
    /// loader as its transport.
    ///
    /// ```swift
    /// func fetch(_ page: Int) -> Fetch<HTTPLoadResponse>? {
    ///     Fetch("https://example.org/pages/\(page).json", by: http)
    /// }
    /// ```
    ///
    /// The loader needs no workers. An ``HTTPLoadError`` determines whether it is retried.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - loader: The loader that sends the request.
    ///   - cost: The expected time of the transfer; see `LoadSource.kind(of:)` for times that are
    ///     learned.
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
