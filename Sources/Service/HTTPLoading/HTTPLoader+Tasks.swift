internal import IdleLoop

// Requests in tasks that run on the loop.
extension HTTPLoader {
    /// Requests a resource from a server, and returns the response, in a task that runs on the
    /// loop.
    ///
    /// ```swift
    /// loop.task {
    ///     let page = try await http.response(for: "https://example.org/pages/1.json")
    ///     show(page.bytes)
    /// }
    /// ```
    ///
    /// When the task is cancelled, so is the transfer, and this throws
    /// ``HTTPLoadError/cancelled``; a task that was cancelled before sends no request.
    public func response(
        for request: HTTPLoadRequest
    ) async throws(HTTPLoadError) -> HTTPLoadResponse {
        guard !Task.isCancelled else { throw .cancelled }
        let gate = AsyncGate(to: loop.executor)
        var result = Result<HTTPLoadResponse, HTTPLoadError>.failure(.cancelled)
        let transfer = fetch(request) {
            result = $0
            gate.open()
        }
        await gate.passUnlessCancelled(from: #isolation)
        transfer.cancel()  // unless it has ended
        return try result.get()
    }
}
