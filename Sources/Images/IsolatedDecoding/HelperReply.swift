import ImageLoading

/// A message from a helper: first that it's ready, then the outcome of each request.
struct HelperReply: Equatable {
    /// The outcome of a request.
    enum Outcome: Equatable {
        /// The helper has entered the sandbox and waits for requests.
        case ready
        /// A picture of this size, whose pixels are in the file, and its damage.
        case picture(PixelSize, damage: PictureError.Reason?)
        /// The picture couldn't be decoded.
        case failed(PictureError.Reason)
    }

    /// The number of the request; 0 for `ready`.
    var id: Int64
    var outcome: Outcome
}

extension HelperReply {
    /// Parses an untrusted message; nil if it's malformed.
    init?(_ message: Message) {
        let numbers = message.numbers
        guard numbers[0] == HelperRequest.mark else { return nil }
        id = numbers[1]
        switch numbers[2] {
        case 0: outcome = .ready
        case 1:
            let size = PixelSize(width: Int(numbers[3]), height: Int(numbers[4]))
            let damage = PictureError.Reason(numbers: Array(numbers[5...]), text: message.text)
            guard damage != nil || numbers[5] == 0 else { return nil }
            outcome = .picture(size, damage: damage)
        case 2:
            guard
                let reason = PictureError.Reason(numbers: Array(numbers[3...]), text: message.text)
            else { return nil }
            outcome = .failed(reason)
        default: return nil
        }
    }

    var message: Message {
        let start = [HelperRequest.mark, id]
        return switch outcome {
        case .ready: Message(start + [0])
        case .picture(let size, let damage):
            Message(
                start + [1, Int64(size.width), Int64(size.height)] + (damage?.numbers ?? []),
                text: (damage?.text ?? "").utf8)
        case .failed(let reason): Message(start + [2] + reason.numbers, text: reason.text.utf8)
        }
    }
}
