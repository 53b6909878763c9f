internal import IdleLoop
internal import LullTesting
internal import ScrollModel

/// A recording of the scrolling on one page, in lines that `scroll-replay` plays.
///
/// Each line is written as its event arrives, so that the end takes no time.
struct Recording {
    /// The maximum size in bytes: more than half an hour at 60 frames and 120 touches a second.
    static let mostBytes = 16 << 20

    /// The name of the trace.
    let name: String
    private var bytes: [UInt8] = []
    private var start: Instant?
    private var height: Double?
    private var fingerY = 0.0
    /// The list's offset as last reported; nil before that.
    private var offset: Double?
    /// A wheel turn, whose distance is known only from the frames after it, and those frames.
    private var wheel: (time: Instant, from: Double?)?
    private var frames: [Trace.Sample] = []

    /// The time for which a wheel turn scrolls the list.
    private static let wheelTime = Duration.milliseconds(300)
    /// The maximum number of its frames: more than a screen shows, as a clock may stand still.
    private static let wheelFrames = 256

    init(name: String) {
        self.name = name
    }

    /// Whether there is no room for more.
    var isFull: Bool { bytes.count >= Self.mostBytes }

    /// Ends the recording and returns its file.
    consuming func file() -> [UInt8] {
        endWheel()
        return bytes
    }

    /// Adds an event, if traces can express it; times never decrease.
    mutating func add(_ what: ScrollReport.Input, at moment: Instant, height: Double) {
        guard !isFull else { return }
        let start = start ?? moment
        self.start = start
        self.height = height
        let time = Instant.zero + (moment - start)
        if what.event == .frame, let offset = what.offset {
            self.offset = offset
            let sample = Trace.Sample(time: time, offset: offset)
            guard let wheel else { return write(OwnText.line(sample)) }
            frames.append(sample)
            if time - wheel.time > Self.wheelTime || frames.count == Self.wheelFrames { endWheel() }
            return
        }
        endWheel()
        offset = what.offset ?? offset
        let input: Trace.Input
        switch what.event {
        case .down(let y): (input, fingerY) = (.down(y: y), y)
        case .moved(let y): (input, fingerY) = (.move(y: y), y)
        case .up(let y, _): input = .up(y: y)
        case .cancelled: input = .cancel(y: fingerY)
        case .key, .jumpBegan: input = .key
        case .wheel:
            wheel = (time, offset)
            return
        case .frame, .changed, .jumpEnded: return
        }
        write(OwnText.line(Trace.Event(time: time, input, offset: offset)))
    }

    /// Writes the wheel turn, whose distance is known now, and the frames during it.
    private mutating func endWheel() {
        guard let (time, from) = wheel else { return }
        wheel = nil
        let distance = (offset ?? 0) - (from ?? 0)
        write(OwnText.line(Trace.Event(time: time, .wheel(dy: distance), offset: from)))
        for frame in frames { write(OwnText.line(frame)) }
        frames = []
    }

    private mutating func write(_ line: String) {
        bytes += (bytes.isEmpty ? OwnText.first(line, height: height, hz: 60) : line).utf8
    }
}
