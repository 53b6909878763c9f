import ArgumentParser
import Glibc
import IdleLoop
import LullTesting
import TraceFormats

/// A recording being made: a loop that waits for the device, for signals and for the end of time.
final class RecordingSession {
    private let device: InputDevice
    private var recorder: TraceRecorder
    private var output: Output
    private var failure: (any Error)?

    init(_ device: InputDevice, _ recorder: TraceRecorder, _ output: consuming Output) {
        self.device = device
        self.recorder = recorder
        self.output = output
    }

    /// The recording.
    var statement: String { recorder.statement }

    /// Records until the device ends, a signal comes or the time is over.
    ///
    /// What came before something went wrong is written all the same.
    func run(for duration: Duration?) throws {
        let loop = try MainLoop()
        for signal in [SIGINT, SIGTERM] { try loop.watch(signal: signal) { loop.stop() } }
        if let duration { loop.schedule(after: duration) { loop.stop() } }
        do {
            try loop.watch(device.descriptor, for: .readable) { [self] _ in
                if !read() { loop.stop() }
            }
            try loop.run()
        } catch {
            // A file of events is all there already, and is never waited for.
            guard error.meansNoWaiting else { throw error }
            while read() {}
        }
        loop.close()
        try output.flush()
        if let failure { throw failure }
    }

    /// Reads what there is and writes it; false at the end.
    private func read() -> Bool {
        do {
            guard let bytes = try device.read() else { return true }
            var events: [Trace.Event] = []
            let result = Result {
                bytes.isEmpty
                    ? try recorder.finish(into: &events) : try recorder.take(bytes, into: &events)
            }
            for event in events { try output.write(OwnText.line(event)) }
            try output.flush()
            try result.get()
            return !bytes.isEmpty
        } catch {
            failure = error
            return false
        }
    }
}

extension LoopError {
    /// Whether it's about a descriptor that is always ready.
    fileprivate var meansNoWaiting: Bool {
        switch self {
        case .notPollable, .system(_, errno: EPERM): true
        default: false
        }
    }
}
