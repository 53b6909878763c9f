import ImageLoading

/// One picture that a helper decodes.
struct HelperWork {
    private let request: HelperRequest
    private let decoders: PictureDecoders
    private var pixels: [UInt8]?
    /// The processor time that it took.
    private(set) var cpu = Duration.zero

    init(_ request: HelperRequest, _ decoders: PictureDecoders) {
        self.request = request
        self.decoders = decoders
    }

    /// Decodes an open file, and says what came of it.
    mutating func decode(_ file: Int32) -> HelperReply.Outcome {
        let start = Sandbox.cpuTime
        defer { cpu = Sandbox.cpuTime - start }
        let job = PictureJob(
            descriptor: file, named: "", fitting: request.box, limits: request.limits,
            options: PictureJob.Options(decoders: decoders))
        do throws(PictureError) {
            let picture = try job.decode()
            pixels = picture.pixels
            return .picture(picture.size)
        } catch {
            return .failed(error.reason)
        }
    }

    /// The pixels of the picture, if there is one.
    mutating func takePixels() -> [UInt8]? { pixels.take() }
}
