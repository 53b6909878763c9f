import IdleLoop
import ImageLoading
import TestSupport
import Testing

@testable import IsolatedDecoding

@Suite struct `A message` {
    static let reasons: [PictureError.Reason] = [
        .cannotOpen(errno: 2), .cannotRead(errno: 5), .notARegularFile, .empty,
        .tooLarge(.bytes, found: 9, limit: 8), .tooLarge(.pixels, found: .max, limit: -1),
        .tooLarge(.decoderMemory, found: 1, limit: 0), .tooLarge(.scans, found: 101, limit: 100),
        .tooSlow(spent: .seconds(3), limit: .seconds(2)),
        .unsupported("starts with \"<html>\""), .truncated(rowsDecoded: 0, of: 0),
        .truncated(rowsDecoded: 3, of: 7), .corrupt(""), .corrupt("no marker"), .outOfMemory,
        .changedWhileRead, .replaced,
    ]

    @Test func `comes as it was sent`() throws {
        let outcomes: [HelperReply.Outcome] =
            [.ready, .picture(PixelSize(width: 3, height: 4), damage: nil)]
            + Self.reasons.map { .picture(PixelSize(width: 3, height: 4), damage: $0) }
            + Self.reasons.map { .failed($0) }
        for outcome in outcomes {
            let reply = HelperReply(id: 12, outcome: outcome)
            let bytes = reply.message.bytes
            #expect(bytes.count == Message.length)
            #expect(try HelperReply(#require(Message(bytes: bytes))) == reply)
        }
        let limits = PictureLimits(
            fileBytes: 1, pixels: 2, decoderMemory: 3, scans: 4, warnings: 5,
            time: .nanoseconds(6))
        let request = HelperRequest(
            id: .max, targetSize: PixelSize(width: -1, height: .max), limits: limits)
        #expect(try HelperRequest(#require(Message(bytes: request.message.bytes))) == request)
    }

    @Test(arguments: [[5, 2, 2], [12, 2, 2], [7, 3, 2], [13, 0, 0]])
    func `of a limit that was kept, or of an unknown reason, is refused`(numbers: [Int64]) {
        #expect(PictureError.Reason(numbers: numbers, text: Array("bytes".utf8)) == nil)
    }

    @Test func `has its text cut at a length`() throws {
        let reply = HelperReply(
            id: 1, outcome: .failed(.corrupt(String(repeating: "x", count: 500))))
        let read = try HelperReply(#require(Message(bytes: reply.message.bytes)))
        #expect(read?.outcome == .failed(.corrupt(String(repeating: "x", count: 200))))
    }

    @Test(arguments: seeds(0..<10))
    func `of any bytes is refused, or read and never wrong by itself`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var odd: [[UInt8]] = []
        for _ in 0..<300 {
            var bytes = HelperReply(id: 1, outcome: .failed(.corrupt("abc"))).message.bytes
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let place = Int.random(in: 8..<bytes.count, using: &random)
                bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
            }
            guard let message = Message(bytes: bytes), let reply = HelperReply(message) else {
                continue
            }
            if "\(reply.outcome)".utf8.contains(where: { $0 < 0x20 }) {
                odd.append(bytes)
            }
        }
        #expect(odd.isEmpty)
        #expect(Message(bytes: []) == nil)
    }

    @Test func `of an error tells one line`() {
        let error = IsolatedError.helper(file: "a\n\u{1B}b", .silent(after: .seconds(5)))
        #expect(error.description == "a\\u{a}\\u{1b}b: the helper gave no answer for 5.0 seconds")
        #expect(
            IsolatedError.helper(file: "a", .ended(.killed(signal: 11))).description
                == "a: the helper was ended by signal 11")
        #expect(
            IsolatedError.noHelper(.system(.system(call: "posix_spawn", errno: 2))).description
                == "no helper: posix_spawn: No such file or directory (2)")
    }
}
