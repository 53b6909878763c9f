internal import ImageLoading

/// One input thrown at the decoders.
///
/// The process ends unless all of this holds: a picture lies in its target size and
/// has all of its pixels, one that comes early has the size of the one that comes last, it's the
/// same if its bytes arrive one after another, and there is an end.
public struct Trial {
    /// Far above what small inputs need, far below what would make a trial slow.
    private static let limits = PictureLimits(
        fileBytes: 1 << 20, pixels: 1 << 20, decoderMemory: 8 << 20, scans: 20, warnings: 50)
    private static let mostSteps = 1 << 20

    private let bytes: [UInt8]

    /// A trial of the bytes of a file.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The bytes that libFuzzer gives.
    public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Whether the file begins as its kind does; if not, libFuzzer needn't keep it.
    public func begins(with signature: [UInt8]) -> Bool { bytes.starts(with: signature) }

    /// The bytes in a JPEG, in the place where cameras put EXIF; at most 65,000 of them.
    public func asExif(in jpeg: [UInt8]) -> Trial {
        let payload = Array("Exif\0\0".utf8) + bytes.prefix(65_000)
        let length = payload.count + 2
        let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
        return Trial(jpeg.prefix(2) + segment + jpeg.dropFirst(2))
    }

    /// Decodes to two sizes: the first needs all pixels, the second takes the short ways, also with
    /// bytes that arrive in pieces.
    public func run() {
        _ = decode(fitting: PixelSize(width: 2000, height: 2000))
        let targetSize = PixelSize(width: 17, height: 13)
        precondition(
            decode(fitting: targetSize) == decodeArriving(fitting: targetSize),
            "pieces make no other")
    }

    private func decode(fitting targetSize: PixelSize) -> Outcome {
        outcome(
            of: PictureJob(.bytes(bytes), named: "trial", fitting: targetSize, limits: Self.limits),
            in: targetSize, waiting: nil)
    }

    /// Decodes bytes that arrive whenever they are waited for, in pieces whose lengths the bytes
    /// themselves tell.
    private func decodeArriving(fitting targetSize: PixelSize) -> Outcome {
        let arriving = ArrivingBytes(expected: bytes.count)
        let job = PictureJob(
            arriving: arriving, named: "trial", fitting: targetSize, limits: Self.limits)
        var rest = bytes[...]
        return outcome(
            of: job, in: targetSize,
            waiting: {
                precondition(!arriving.isComplete, "nothing more can be waited for")
                let length = rest.last.map { Int($0) * Int($0) / 16 + 1 } ?? 0
                arriving.append(rest.prefix(length))
                rest = rest.dropFirst(length)
                if rest.isEmpty { arriving.finish() }
            })
    }

    private typealias Outcome = Result<Picture, PictureError>

    private func outcome(
        of job: PictureJob, in targetSize: PixelSize, waiting: (() -> Void)?
    ) -> Outcome {
        var early: PixelSize?
        for _ in 0..<Self.mostSteps {
            do throws(PictureError) {
                switch try job.step() {
                case .more: break
                case .waiting:
                    guard let waiting else { preconditionFailure("a file waits for nothing") }
                    waiting()
                case .refined(let picture): early = checked(picture, in: targetSize)
                case .done(let picture):
                    let size = checked(picture, in: targetSize)
                    // A thumbnail in a file that is still arriving is smaller.
                    precondition(
                        early == nil || early == size || waiting != nil,
                        "an early picture has the size")
                    return .success(picture)
                }
            } catch {
                precondition(!error.description.isEmpty, "an error says what was wrong")
                return .failure(error)
            }
        }
        preconditionFailure("a decoder comes to an end")
    }

    private func checked(_ picture: Picture, in targetSize: PixelSize) -> PixelSize {
        let size = picture.size
        precondition(size.width > 0 && size.height > 0, "a picture has pixels")
        precondition(
            size.width <= targetSize.width && size.height <= targetSize.height,
            "a picture lies in its target size")
        precondition(
            picture.pixels.count == 4 * size.width * size.height, "a picture has all its pixels")
        // Premultiplied: no colour is brighter than its alpha.
        let pixels = picture.pixels
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = pixels[start + 3]
            precondition(
                pixels[start] <= alpha && pixels[start + 1] <= alpha && pixels[start + 2] <= alpha,
                "colours are premultiplied by alpha")
        }
        return size
    }
}
