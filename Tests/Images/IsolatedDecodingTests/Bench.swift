import Foundation
import IdleLoop
import ImageLoading
import IsolatedDecoding
import TestSupport

extension PixelSize {
    static let small = PixelSize(width: 8, height: 8)
}

/// A loop with an isolated decoder, which waits for what becomes of pictures.
final class Bench {
    typealias Outcome = Result<Picture, IsolatedError>

    /// Where the package's programs are.
    static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    static let helper = products.appending(path: "lull-picture-helper").path

    let loop: MainLoop
    let decoder: IsolatedDecoder

    /// A decoder whose helper is the real one; slow machines and sanitizers have time enough.
    init(_ change: (inout IsolatedDecoder.Configuration) -> Void = { _ in }) throws {
        loop = try MainLoop()
        var configuration = IsolatedDecoder.Configuration()
        configuration.program = Self.helper
        configuration.helpers = 1
        configuration.deadline = .seconds(100)
        configuration.startDeadline = .seconds(100)
        configuration.idleTime = .seconds(1000)
        change(&configuration)
        decoder = IsolatedDecoder(on: loop, configuration: configuration)
    }

    deinit {
        decoder.close()
        loop.close()
    }

    /// The end of a picture.
    func outcome(
        of bytes: [UInt8], fitting targetSize: PixelSize = .small,
        limits: PictureLimits = PictureLimits()
    ) throws -> Outcome {
        try outcome { [decoder] in
            decoder.decode(
                .bytes(bytes), named: "bytes", fitting: targetSize, limits: limits, completion: $0)
        }
    }

    /// The end of a file.
    func outcome(ofFile path: String, fitting targetSize: PixelSize = .small) throws -> Outcome {
        try outcome { [decoder] in
            decoder.decode(.file(path), named: path, fitting: targetSize, completion: $0)
        }
    }

    private func outcome(_ ask: (@escaping (Outcome) -> Void) -> Void) throws -> Outcome {
        var outcome: Outcome?
        ask { [loop] in
            outcome = $0
            loop.stop()
        }
        while outcome == nil { try loop.run() }
        return outcome!
    }

    /// Runs until something is true, looking after each turn in which something happened.
    func run(until isTrue: @escaping () -> Bool) throws {
        let observer = loop.observe(.beforeIdle) { [loop] _ in if isTrue() { loop.stop() } }
        try loop.run()
        observer.cancel()
    }

    /// Has a helper ready, by a picture that nobody looks at, and says which.
    func ready() throws -> pid_t {
        _ = try outcome(of: Sample.png(4, 4))
        return decoder.processes[0]
    }
}

/// Whether a process is there, be it only to be reaped.
func exists(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

/// Stops a process, and returns when it has stopped.
func stop(_ process: pid_t) {
    kill(process, SIGSTOP)
    var info = unsafe siginfo_t()
    unsafe waitid(P_PID, id_t(process), &info, WSTOPPED | WNOWAIT)
}

/// What decoding in this process gives.
func here(
    _ bytes: [UInt8], fitting targetSize: PixelSize = .small,
    limits: PictureLimits = PictureLimits()
) -> Bench.Outcome {
    do throws(PictureError) {
        return .success(
            try PictureJob(.bytes(bytes), named: "bytes", fitting: targetSize, limits: limits)
                .decode())
    } catch {
        return .failure(.picture(error))
    }
}

extension IsolatedError {
    /// The limit of time that a picture took more than.
    var timeLimit: Duration? {
        guard case .picture(let error) = self,
            case .tooSlow(let spent, let limit) = error.reason, spent > limit
        else { return nil }
        return limit
    }
}

extension Result where Failure == IsolatedError {
    var error: IsolatedError? {
        if case .failure(let error) = self { error } else { nil }
    }

    var isSuccess: Bool { error == nil }
}

extension Folder {
    func file(_ name: String, _ bytes: [UInt8]) throws -> String { try write(name, Data(bytes)) }

    /// The program that behaves as this name of it says.
    func fake(_ name: String) throws -> String {
        let link = "\(path)/\(name)"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: Bench.products.appending(path: "fake-helper").path)
        return link
    }
}
