import ImageLoading

extension IsolatedDecoder {
    /// A picture that somebody waits for.
    public final class Request {
        enum Source: Sendable {
            case path(String)
            case opened(OpenedFile)
            case bytes([UInt8])
        }

        private let source: Source
        /// The name that errors have.
        let name: String
        let box: PixelSize
        let limits: PictureLimits
        private var completion: ((Result<Picture, IsolatedError>) -> Void)?
        private weak var decoder: IsolatedDecoder?

        init(
            _ source: Source, named name: String, fitting box: PixelSize, limits: PictureLimits,
            of decoder: IsolatedDecoder,
            completion: @escaping (Result<Picture, IsolatedError>) -> Void
        ) {
            self.source = source
            self.name = name
            self.box = box
            self.limits = limits
            self.decoder = decoder
            self.completion = completion
        }

        /// The processor time that a helper may use beyond what its pictures may take: to take a file
        /// and to send pixels, and for the step of decoding that comes to the limit.
        static let spareTime = Duration.milliseconds(250)

        /// The processor time after which a helper that goes on is ended.
        var mostTime: Duration { limits.time + Self.spareTime }

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

        /// The file that a helper will read.
        func open() throws(IsolatedError) -> Descriptor {
            switch source {
            case .path(let path):
                do throws(PictureError.Reason) {
                    return try Descriptor.ofPicture(path)
                } catch {
                    throw .picture(PictureError(file: name, reason: error))
                }
            case .opened(let file):
                do throws(PictureError.Reason) {
                    return try Descriptor.copy(of: file)
                } catch {
                    throw .picture(PictureError(file: name, reason: error))
                }
            case .bytes(let bytes):
                do throws(SystemError) {
                    return try SharedBytes.file(of: bytes)
                } catch {
                    throw .system(error)
                }
            }
        }

        /// Ends it, unless it has ended.
        func end(_ result: Result<Picture, IsolatedError>) {
            guard let completion = completion.take() else { return }
            completion(result)
        }
    }
}
