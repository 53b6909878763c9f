import CLull
import Foundation
import Synchronization
import Testing

/// The table that tells what a handle is worth: what Tests/C/CHosts doesn't ask it.
struct HandleTests {
    private let object = NSObject()

    private var address: UnsafeRawPointer {
        unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    private func look(_ handle: UInt, _ kind: lull_kind = LULL_KIND_QUEUE) -> lull_status {
        var found: UnsafeRawPointer?
        let status = unsafe lull_find(UnsafeRawPointer(bitPattern: handle), kind, &found)
        #expect(unsafe status != LULL_OK || found == address)
        return status
    }

    @Test func `a slot is found only while it's lent`() throws {
        let entry = try unsafe #require(lull_entry_new(LULL_KIND_SLOT, nil))
        defer { unsafe lull_entry_free(entry) }
        #expect(unsafe look(entry.pointee.handle, LULL_KIND_SLOT) == LULL_INVALID)
        let first = unsafe UInt(bitPattern: lull_lend(entry, address))
        #expect(look(first, LULL_KIND_SLOT) == LULL_OK)
        #expect(unsafe entry.pointee.depth == 1)
        unsafe lull_take_back(entry)
        #expect(look(first, LULL_KIND_SLOT) == LULL_STALE)
        let second = unsafe UInt(bitPattern: lull_lend(entry, address))
        #expect(second != first)
        #expect(look(first, LULL_KIND_SLOT) == LULL_STALE)
        unsafe lull_take_back(entry)
    }

    @Test func `other threads are refused while handles come and go`() throws {
        let shared = Shared()
        let threads = (0..<4).map { _ in
            Started {
                var looked = 0
                while !shared.isOver.load(ordering: .relaxed) || looked < 1000 {
                    let handle = shared.handle.load(ordering: .relaxed)
                    var found: UnsafeRawPointer?
                    let status = unsafe lull_find(
                        UnsafeRawPointer(bitPattern: handle), LULL_KIND_QUEUE, &found)
                    #expect(
                        [LULL_INVALID, LULL_STALE, LULL_WRONG_THREAD].contains(status),
                        "\(status)")
                    #expect(unsafe found == nil)
                    looked += 1
                }
            }
        }
        for round in 0..<20_000 {
            let entry = try unsafe #require(lull_entry_new(LULL_KIND_QUEUE, address))
            let handle = unsafe entry.pointee.handle
            shared.handle.store(handle, ordering: .relaxed)
            if round % 100 == 0 { #expect(look(handle) == LULL_OK) }
            unsafe lull_entry_free(entry)
        }
        shared.isOver.store(true, ordering: .relaxed)
        for thread in threads { thread.wait() }
    }

    /// The handle that is there at the moment, for other threads to try.
    private final class Shared: Sendable {
        let handle = Atomic<UInt>(0)
        let isOver = Atomic(false)
    }

    @Test func `threads that take and free entries never have the same`() throws {
        let threads = (0..<4).map { _ in
            Started {
                for _ in 0..<5000 {
                    let entries = unsafe (0..<3).map { _ in
                        unsafe lull_entry_new(LULL_KIND_LIST, nil)
                    }
                    let handles = unsafe entries.map { unsafe $0?.pointee.handle ?? 0 }
                    for handle in handles {
                        let status = unsafe lull_check(
                            UnsafeRawPointer(bitPattern: handle), LULL_KIND_LIST)
                        if status != LULL_OK { Issue.record("\(handle): \(status)") }
                    }
                    unsafe entries.forEach { unsafe lull_entry_free($0) }
                }
            }
        }
        for thread in threads { thread.wait() }
    }

    @Test func `there are entries for a hundred thousand`() throws {
        let entries = unsafe try (0..<100_000).map { _ in
            try unsafe #require(lull_entry_new(LULL_KIND_TIMER, address))
        }
        let handles = unsafe entries.map { unsafe $0.pointee.handle }
        #expect(Set(handles).count == 100_000)
        for handle in handles where look(handle, LULL_KIND_TIMER) != LULL_OK {
            Issue.record("\(handle) is lost")
        }
        unsafe entries.forEach { unsafe lull_entry_free($0) }
    }
}
