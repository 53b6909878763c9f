public import IdleLoop
import ImageLoading

extension IsolatedDecoder {
    /// A picture that somebody waits for.
    public final class Request {
        private let input: PictureHelperInput
        /// The name that errors have.
        let name: String
        let box: PixelSize
        let limits: PictureLimits
        private var completion: ((Result<Picture, IsolatedError>) -> Void)?
        private weak var decoder: IsolatedDecoder?

        init(
            _ input: PictureHelperInput, named name: String, fitting box: PixelSize,
            limits: PictureLimits,
            of decoder: IsolatedDecoder,
            completion: @escaping (Result<Picture, IsolatedError>) -> Void
        ) {
            self.input = input
            self.name = name
            self.box = box
            self.limits = limits
            self.decoder = decoder
            self.completion = completion
        }

        /// Whether it has neither ended nor been cancelled.
        public var isActive: Bool { completion != nil }

        /// Takes the wish back: nothing is called for it afterwards.
        ///
        /// A helper that works on it goes on for a moment (`Configuration.patience`), since it may
        /// be done sooner than another would be ready, and is ended then. A second call does nothing.
        public func cancel() {
            guard completion != nil else { return }
            completion = nil
            decoder?.forget(self)
        }

        /// Opens the file that a helper will read.
        func open() throws(IsolatedError) -> OpenedFile {
            if case .bytes(let bytes) = input {
                do throws(LoopError) {
                    return try SharedBytes.file(of: bytes)
                } catch {
                    throw .system(error)
                }
            }
            do throws(PictureError.Reason) {
                return try input.open(limits)
            } catch {
                throw .picture(PictureError(file: name, reason: error))
            }
        }

        /// Ends it, unless it has ended.
        func end(_ result: Result<Picture, IsolatedError>) {
            guard let completion = completion.take() else { return }
            completion(result)
        }
    }
}

extension IsolatedDecoder.Request: PendingOperation {}

extension IsolatedDecoder.Request: Equatable {
    /// Returns whether both are the same request, not only alike.
    public static func == (one: IsolatedDecoder.Request, other: IsolatedDecoder.Request) -> Bool {
        one === other
    }
}
