import LullLibC
import IdleLoop
package import ImageLoading

/// The main function of the program `lull-picture-helper`, the counterpart of `IsolatedDecoder`.
///
/// It receives the file for its pixels, decodes a tiny picture of each format, so that all one-time
/// initialization is done, enters the sandbox, reports that it's ready, and then serves one request
/// after the other until the connection ends.
package struct HelperProgram {
    /// The descriptor on which the parent process passes the socket.
    static let socket: Int32 = 3

    private let channel: Channel
    private let decoders: PictureDecoders

    /// Runs the program until it ends.
    ///
    /// - Parameters:
    ///   - decoders: The decoders of the supported formats.
    ///   - warmUp: Tiny pictures of the formats that aren't `standard`, in base64.
    /// - Returns: The exit status.
    package static func run(
        decoders: PictureDecoders = .standard, warmUp: [String] = []
    ) -> Int32 {
        let channel = Channel(OpenedFile(owning: socket))
        guard case .message(let start, let pixels?) = channel.receive(waits: true),
            start.numbers[0] == HelperRequest.mark
        else {
            report(
                "lull-picture-helper decodes pictures for a program that starts it, and does nothing else"
            )
            return EX_USAGE
        }
        let program = HelperProgram(channel: channel, decoders: decoders)
        program.decode(WarmUpPictures.all + warmUp)
        do throws(LoopError) {
            try Sandbox.enter(channel, pixels, memory: Int(start.numbers[1]))
            try channel.send(HelperReply(id: 0, outcome: .ready).message, waits: true)
            while try program.answer(pixels) {}
            // Exits here, where the socket is still open: it must be closed only by the process's
            // exit.
            _exit(EX_OK)
        } catch {
            report("\(error)")
            _exit(EX_OSERR)
        }
    }

    /// Serves one request, and returns false when no more will come.
    private func answer(_ pixels: OpenedFile) throws(LoopError) -> Bool {
        guard case .message(let message, let file?) = channel.receive(waits: true),
            let request = HelperRequest(message)
        else { return false }
        Sandbox.limit(cpu: request.limits.time)
        let outcome: HelperReply.Outcome
        switch decode(file, request) {
        case .success(let picture):
            try SharedBytes.write(picture.pixels.span, to: pixels)
            outcome = .picture(picture.size, damage: picture.damage)
        case .failure(let error): outcome = .failed(error.reason)
        }
        try channel.send(HelperReply(id: request.id, outcome: outcome).message, waits: true)
        return true
    }

    private func decode(
        _ file: OpenedFile, _ request: HelperRequest
    ) -> Result<Picture, PictureError> {
        var options = PictureJob.Options()
        (options.givesPreviews, options.decoders) = (false, decoders)
        let job = PictureJob(
            .opened { file }, named: "", fitting: request.targetSize, limits: request.limits,
            options: options)
        return Result { () throws(PictureError) in try job.decode() }
    }

    private func decode(_ pictures: [String]) {
        let targetSize = PixelSize(width: 1, height: 1)
        let request = HelperRequest(id: 0, targetSize: targetSize, limits: PictureLimits())
        for picture in pictures {
            if let bytes = decodedBase64(picture), let file = try? SharedBytes.file(of: bytes) {
                _ = decode(file, request)
            }
        }
    }

    private static func report(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
    }
}
