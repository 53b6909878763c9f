public import IdleLoop
public import ImageLoading

extension HTTPLoader: PictureTransport {
    /// Fetches a picture for a source: `PictureSource(on: loop, transport: HTTPLoader(on: loop))`.
    public func fetch(
        _ url: String, receive: @escaping (PictureTransportEvent) -> Void
    ) -> any PendingOperation {
        fetch(HTTPLoadRequest(url)) { response in
            receive(.began(length: response.length))
        } onBytes: { piece in
            receive(.bytes(piece))
        } completion: { result in
            switch result {
            case .success: receive(.ended(nil))
            case .failure(.cancelled): break
            case .failure(let error): receive(.ended(error))
            }
        }
    }
}
