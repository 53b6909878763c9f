import Glibc
import IdleLoop
import Testing

@testable import ImageLoading

struct FailureCacheTests {
    private let stamp = FileStamp(seconds: 1, nanoseconds: 0, bytes: 9)
    private let lasting = PictureError(file: "a", reason: .empty)

    private func second(_ count: Int) -> Instant { .zero.advanced(by: .seconds(count)) }

    /// When a file that fails again as soon as it may be tried is tried, in seconds.
    private func tries(_ error: PictureError, _ count: Int) -> [Int] {
        var memory = FailureCache(capacity: 4)
        var now = 0
        var times: [Int] = []
        while times.count < count {
            if memory.error(of: "a", stamp, at: second(now)) == nil {
                memory.record(error, of: "a", stamp, at: second(now))
                times.append(now)
            }
            now += 1
        }
        return times
    }

    @Test func `what fails is tried after 1, 2, 4 min, at most an hour apart`() {
        let minutes = [0, 1, 3, 7, 15, 31, 63, 123]
        #expect(tries(lasting, 8) == minutes.map { 60 * $0 })
        var memory = FailureCache(capacity: 4, forgets: false)
        memory.record(lasting, of: "a", stamp, at: .zero)
        #expect(memory.error(of: "a", stamp, at: second(1 << 32)) == lasting)
    }

    @Test func `a file that has changed is worth a try at once, and its count begins anew`() {
        var memory = FailureCache(capacity: 4)
        for _ in 0..<3 { memory.record(lasting, of: "a", stamp, at: .zero) }
        #expect(memory.error(of: "a", stamp, at: second(239)) == lasting)
        #expect(memory.error(of: "a", stamp, at: second(240)) == nil)
        let later = FileStamp(seconds: 2, nanoseconds: 0, bytes: 9)
        #expect(memory.error(of: "a", stamp, at: second(1)) == lasting)
        #expect(memory.error(of: "a", later, at: second(1)) == nil)
        memory.record(lasting, of: "a", later, at: second(1))
        #expect(memory.error(of: "a", later, at: second(60)) == lasting)
        #expect(memory.error(of: "a", later, at: second(61)) == nil)
    }

    @Test func `what was forgotten is worth a try, and the oldest is forgotten first`() {
        var memory = FailureCache(capacity: 2)
        for name in ["a", "b", "a", "c"] { memory.record(lasting, of: name, stamp, at: .zero) }
        #expect(memory.count == 2)
        #expect(memory.error(of: "b", stamp, at: .zero) == nil)
        #expect(memory.error(of: "a", stamp, at: .zero) == lasting)
        memory.forget("a")
        #expect(memory.error(of: "a", stamp, at: .zero) == nil)
        #expect(memory.stamp(of: "c") == stamp)
    }

    @Test func `a want of something may pass, what is wrong with a file may not`() {
        for errno in [EMFILE, ENFILE, EIO, ENOMEM, ESTALE, ENOTCONN, ETIMEDOUT] {
            #expect(PictureError.Reason.cannotOpen(errno: errno).isTransient)
            #expect(PictureError.Reason.cannotRead(errno: errno).isTransient)
        }
        #expect(PictureError.Reason.outOfMemory.isTransient)
        #expect(PictureError.Reason.changedWhileRead.isTransient)
        let lasting: [PictureError.Reason] = [
            .cannotOpen(errno: ENOENT), .cannotOpen(errno: EACCES), .notARegularFile, .empty,
            .corrupt("x"), .unsupported("x"), .tooLarge(.bytes, found: 2, limit: 1),
            .truncated(rowsDecoded: 1, of: 2),
        ]
        #expect(lasting.allSatisfy { !$0.isTransient })
    }
}
