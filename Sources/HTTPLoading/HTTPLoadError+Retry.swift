public import DeferredLoading

// What is worth another try.
extension HTTPLoadError: RetryableError {
    /// Whether the same request may do better later.
    ///
    /// What a server refuses it will refuse again, but for those that say that they have no time; a
    /// certificate doesn't get right by waiting.
    public var mayPass: Bool {
        switch self {
        case .status(let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .timedOut, .dns, .connection, .incomplete, .outOfMemory: true
        case .badURL, .refusedScheme, .refusedAddress, .tooLarge, .tooManyRedirects, .badReply,
            .tls,
            .closed, .library:
            false
        }
    }

    /// When another try is worth it: as the server asks, else as the loader's backoff says.
    ///
    /// A server is left alone for a second at least and an hour at most, and asked five times in all.
    public func retry(afterFailures failures: Int) -> LoadRetry {
        guard mayPass else { return .never }
        guard case .status(_, let time?) = self else { return .later }
        return failures < 5 ? .after(min(max(time, .seconds(1)), .seconds(3600))) : .never
    }
}
