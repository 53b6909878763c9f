import IdleLoop
import ImageLoading

/// What a helper says: first that it is ready, then what became of each picture.
struct HelperReply: Equatable {
    /// What became of it.
    enum Outcome: Equatable {
        /// The helper is shut in and waits for pictures.
        case ready
        /// A picture of this size, whose pixels come beside the message.
        case picture(PixelSize)
        /// There is no picture.
        case failed(PictureError.Reason)
    }

    /// The number of the request; 0 when ready.
    var id: Int64
    var outcome: Outcome
    /// The processor time that it took.
    var cpu = Duration.zero

    init(id: Int64, _ outcome: Outcome, cpu: Duration = .zero) {
        self.id = id
        self.outcome = outcome
        self.cpu = cpu
    }

    /// Reads a message that may be a lie; nil if it is nothing that a helper says.
    init?(_ message: Message) {
        let numbers = message.numbers
        guard numbers[0] == HelperRequest.mark else { return nil }
        id = numbers[1]
        cpu = .nanoseconds(max(0, numbers[3]))
        switch numbers[2] {
        case 0: outcome = .ready
        case 1: outcome = .picture(PixelSize(width: Int(numbers[4]), height: Int(numbers[5])))
        case 2:
            guard let reason = PictureError.Reason(told: Array(numbers[4...]), text: message.text)
            else { return nil }
            outcome = .failed(reason)
        default: return nil
        }
    }

    var message: Message {
        let start: (Int64) -> [Int64] = { [HelperRequest.mark, id, $0, cpu.wholeNanoseconds] }
        switch outcome {
        case .ready: return Message(start(0))
        case .picture(let size):
            return Message(start(1) + [Int64(size.width), Int64(size.height)])
        case .failed(let reason): return Message(start(2) + reason.numbers, text: reason.text.utf8)
        }
    }
}
