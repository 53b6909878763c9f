public import IdleLoop
import ImageLoading

extension IsolatedDecoder {
    /// A request to decode a picture.
    public final class Request {
        private let origin: PictureOrigin
        /// The name of the file in errors.
        let name: String
        let targetSize: PixelSize
        let limits: PictureLimits
        private var completion: ((Result<Picture, IsolatedError>) -> Void)?
        private weak var decoder: IsolatedDecoder?

        init(
            _ origin: PictureOrigin, named name: String, fitting targetSize: PixelSize,
            limits: PictureLimits,
            of decoder: IsolatedDecoder,
            completion: @escaping (Result<Picture, IsolatedError>) -> Void
        ) {
            self.origin = origin
            self.name = name
            self.targetSize = targetSize
            self.limits = limits
            self.decoder = decoder
            self.completion = completion
        }

        /// Whether the request has neither ended nor been cancelled.
        public var isActive: Bool { completion != nil }

        /// Cancels the request; its completion isn't called afterwards.
        ///
        /// A helper that decodes it continues for a short time
        /// (`Configuration.cancellationGrace`), because it may finish sooner than another helper
        /// would become ready, and is killed then. A second call does nothing.
        public func cancel() {
            guard completion != nil else { return }
            completion = nil
            decoder?.forget(self)
        }

        /// Opens the file that a helper is to read.
        func open() throws(IsolatedError) -> OpenedFile {
            if case .bytes(let bytes) = origin {
                do throws(LoopError) {
                    return try SharedBytes.file(of: bytes)
                } catch {
                    throw .system(error)
                }
            }
            do throws(PictureError.Reason) {
                guard let file = try origin.open(limits).opened else { throw .notARegularFile }
                return file
            } catch {
                throw .picture(PictureError(file: name, reason: error))
            }
        }

        /// Calls the completion, unless the request has ended.
        func end(_ result: Result<Picture, IsolatedError>) {
            guard let completion = completion.take() else { return }
            completion(result)
        }
    }
}

extension IsolatedDecoder.Request: PendingOperation {}

extension IsolatedDecoder.Request: Equatable {
    /// Returns whether both are the same object.
    public static func == (one: IsolatedDecoder.Request, other: IsolatedDecoder.Request) -> Bool {
        one === other
    }
}
