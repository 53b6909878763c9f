public import DeferredLoading
public import IdleLoop
public import ImageLoading

extension IsolatedDecoder: PictureHelper {
    /// Decodes a picture of a source whose pictures are strangers':
    /// `PictureSource(on: loop, decoding: .helper(IsolatedDecoder(on: loop)))`.
    public func decode(
        _ input: PictureHelperInput, named name: String, fitting box: PixelSize,
        limits: PictureLimits, completion: @escaping (Result<Picture, any Error>) -> Void
    ) -> any PendingOperation {
        let source: Request.Source =
            switch input {
            case .file(let path): .path(path)
            case .opened(let file): .opened(file)
            case .bytes(let bytes): .bytes(bytes)
            }
        return accept(
            Request(source, named: name, fitting: box, limits: limits, of: self) { result in
                completion(
                    result.mapError { error in
                        if case .picture(let error) = error { error } else { error }
                    })
            })
    }
}

extension IsolatedDecoder.Request: PendingOperation {}

extension IsolatedError: RetryableError {
    /// Again where only the helpers were short of something; never for the file's own fault.
    public func retry(afterFailures failures: Int) -> LoadRetry {
        mayPass && failures < 5 ? .later : .never
    }
}
