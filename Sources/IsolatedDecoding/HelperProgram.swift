import Glibc
import IdleLoop
package import ImageLoading

/// The other side of an `IsolatedDecoder`: the program `picture-helper`.
///
/// It decodes a tiny picture of each kind, so that all that is done once is done; shuts itself in;
/// says that it's ready; and then answers one request after the other until the connection ends.
package struct HelperProgram {
    /// The descriptor on which the one who starts it puts the connection.
    static let socket: Int32 = 3

    private let channel: Channel
    private let decoders: PictureDecoders

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: `--memory BYTES`, as an `IsolatedDecoder` gives it; or, for tests,
    ///     `--try NAME`, which shuts the process in and does what is forbidden.
    ///   - decoders: The kinds of pictures that are read.
    ///   - warmUp: Tiny pictures of the kinds that aren't `standard`, in base 64.
    /// - Returns: The exit status.
    package static func run(
        _ arguments: [String], decoders: PictureDecoders = .standard, warmUp: [String] = []
    ) -> Int32 {
        switch (arguments.count, arguments.first) {
        case (2, "--memory"):
            guard let memory = Int(arguments[1]), memory > 0 else { return usage() }
            guard isSocket(socket) else { return usage() }
            serve(memory: memory, decoders, warmUp: warmUp)
        case (2, "--try"): return attempt(arguments[1])
        default: return usage()
        }
    }

    private static func serve(
        memory: Int, _ decoders: PictureDecoders, warmUp: [String]
    ) -> Never {
        let program = HelperProgram(
            channel: Channel(OpenedFile(owning: socket)), decoders: decoders)
        program.decode(WarmUpPictures.all + warmUp)
        do throws(LoopError) {
            try Sandbox.enter(program.channel, memory: memory)
            let pixels = try SharedBytes.file()
            try program.channel.send(
                HelperReply(id: 0, outcome: .ready).message, pixels, waits: true)
            while try program.answer(pixels) {}
            // Here, where the connection is open: its end is to come with the process's own.
            _exit(EX_OK)
        } catch {
            complain("\(error)")
            _exit(EX_OSERR)
        }
    }

    /// Answers one request, and returns false when no more will come.
    private func answer(_ pixels: OpenedFile) throws(LoopError) -> Bool {
        guard case .message(let message, let file?) = channel.receive(waits: true),
            let request = HelperRequest(message)
        else { return false }
        Sandbox.limit(cpu: request.limits.time)
        let outcome: HelperReply.Outcome
        switch decode(file, request) {
        case .success(let picture):
            try SharedBytes.write(picture.pixels, to: pixels)
            outcome = .picture(picture.size)
        case .failure(let error): outcome = .failed(error.reason)
        }
        try channel.send(HelperReply(id: request.id, outcome: outcome).message, waits: true)
        return true
    }

    private func decode(
        _ file: OpenedFile, _ request: HelperRequest
    ) -> Result<Picture, PictureError> {
        let job = PictureJob(
            opened: file, named: "", fitting: request.box, limits: request.limits,
            options: PictureJob.Options(givesPreviews: false, decoders: decoders))
        return Result { () throws(PictureError) in try job.decode() }
    }

    private func decode(_ pictures: [String]) {
        let box = PixelSize(width: 1, height: 1)
        let request = HelperRequest(id: 0, box: box, limits: PictureLimits())
        for picture in pictures {
            guard let bytes = decodedBase64(picture), let file = try? SharedBytes.file(of: bytes),
                case .success(let picture) = decode(file, request)
            else { continue }
            _ = try? SharedBytes.file(of: picture.pixels)
        }
    }

    private static func attempt(_ name: String) -> Int32 {
        do throws(LoopError) {
            try Sandbox.enter(Channel.pair().near, memory: 256 << 20)
            guard Sandbox.attempt(name) else { return usage() }
            return EX_OK
        } catch {
            complain("\(error)")
            return EX_OSERR
        }
    }

    private static func isSocket(_ number: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    private static func usage() -> Int32 {
        complain(
            "picture-helper decodes pictures for a program that starts it, and does nothing else")
        return EX_USAGE
    }

    private static func complain(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
    }
}
