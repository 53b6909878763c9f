import Glibc
internal import IdleLoop
internal import ImageFormatsHEIF
internal import ImageLoading
internal import IsolatedDecoding

/// libFuzzer's entry: anything, as a HEIC or AVIF.
///
/// Its boxes are read here. What they let pass is decoded in a helper: the libraries may die of it
/// there, but the code around them may not, and none may call what the sandbox forbids.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let decoders = PictureDecoders([HEIFDecoder.self])
    guard let header = try? PictureHeader.read(.bytes(bytes), named: "trial", decoders: decoders)
    else {
        return 0
    }
    precondition(header.size.width > 0 && header.size.height > 0, "a picture has pixels")
    for side in [2000, 16] {
        switch unsafe Helper.shared.decode(bytes, PixelSize(width: side, height: side)) {
        case .success(let picture):
            precondition(
                picture.size.width <= side && picture.size.height <= side,
                "a picture lies in its target size")
        case .failure(.helper(_, .ended(.killed(let signal)))):
            precondition(
                ![SIGILL, SIGTRAP, SIGSYS].contains(signal),
                "nothing in a helper traps, or calls what is forbidden")
        case .failure(let error):
            precondition(!error.description.isEmpty, "an error says what was wrong")
        }
    }
    return 0
}

/// A helper, whose program the environment names.
private struct Helper {
    // libFuzzer calls from one thread.
    nonisolated(unsafe) static let shared = Helper()

    private let loop: MainLoop
    private let decoder: IsolatedDecoder

    private init() {
        guard let path = unsafe getenv("LULL_HEIF_HELPER"), let loop = try? MainLoop() else {
            preconditionFailure("a fuzzer of helpers has a helper")
        }
        var configuration = IsolatedDecoder.Configuration()
        configuration.program = unsafe String(cString: path)
        decoder = IsolatedDecoder(on: loop, configuration: configuration)
        self.loop = loop
    }

    func decode(_ bytes: [UInt8], _ targetSize: PixelSize) -> Result<Picture, IsolatedError> {
        var outcome: Result<Picture, IsolatedError>?
        let limits = PictureLimits(fileBytes: 1 << 20, pixels: 1 << 20, decoderMemory: 8 << 20)
        decoder.decode(.bytes(bytes), named: "trial", fitting: targetSize, limits: limits) {
            [loop] in
            outcome = $0
            loop.stop()
        }
        while true {
            if let outcome { return outcome }
            precondition((try? loop.run()) != nil, "a loop runs")
        }
    }
}
