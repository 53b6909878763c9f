import ArgumentParser
import Glibc
import IdleLoop
import LullTesting
import TraceFormats

/// A recording in progress: a loop that waits for the device, for signals and for the time limit.
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

    /// A summary of the recording.
    var statement: String { recorder.statement }

    /// Records until the device ends, a signal arrives or the time is over.
    ///
    /// If an error occurs, everything before it is written.
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
            // A file of events is always ready, so the loop can't wait for it.
            guard error.meansNoWaiting else { throw error }
            while read() {}
        }
        loop.close()
        try output.flush()
        if let failure { throw failure }
    }

    /// Reads the available bytes and writes their events; returns false at the end.
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
    /// Whether the error means that the descriptor is always ready.
    fileprivate var meansNoWaiting: Bool {
        switch self {
        case .notPollable, .system(_, errno: EPERM): true
        default: false
        }
    }
}
