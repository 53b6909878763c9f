import IdleLoop
import ImageLoading

// Encodes reasons as integers and text, and decodes them from an untrusted helper's reply.
extension PictureError.Reason {
    /// The code of the reason, and its integers.
    var numbers: [Int64] {
        switch self {
        case .cannotOpen(let errno): [1, Int64(errno)]
        case .cannotRead(let errno): [2, Int64(errno)]
        case .notARegularFile: [3]
        case .empty: [4]
        case .tooLarge(_, let found, let limit): [5, Int64(found), Int64(limit)]
        case .unsupported: [6]
        case .truncated(let rowsDecoded, let rows): [7, Int64(rowsDecoded), Int64(rows)]
        case .corrupt: [8]
        case .outOfMemory: [9]
        case .changedWhileRead: [10]
        case .replaced: [11]
        case .tooSlow(let spent, let limit): [12, spent.wholeNanoseconds, limit.wholeNanoseconds]
        }
    }

    /// The text of the reason.
    var text: String {
        switch self {
        case .tooLarge(let measure, _, _): measure.rawValue
        case .unsupported(let kind): kind
        case .corrupt(let message): message
        default: ""
        }
    }

    /// Decodes a reason; nil if there is no such reason.
    init?(numbers: [Int64], text: [UInt8]) {
        let text = singleLine(String(decoding: text, as: UTF8.self))
        let first = Int(numbers[1])
        let second = Int(numbers[2])
        switch numbers[0] {
        case 1 where (1...4095).contains(first): self = .cannotOpen(errno: Int32(first))
        case 2 where (1...4095).contains(first): self = .cannotRead(errno: Int32(first))
        case 3: self = .notARegularFile
        case 4: self = .empty
        case 5 where first > second:
            guard let measure = PictureError.Measure(rawValue: text) else { return nil }
            self = .tooLarge(measure, found: first, limit: second)
        case 6: self = .unsupported(text)
        case 7 where 0 <= first && first <= second:
            self = .truncated(rowsDecoded: first, of: second)
        case 8: self = .corrupt(text)
        case 9: self = .outOfMemory
        case 10: self = .changedWhileRead
        case 11: self = .replaced
        case 12 where first > second:
            self = .tooSlow(spent: .nanoseconds(first), limit: .nanoseconds(second))
        default: return nil
        }
    }
}
