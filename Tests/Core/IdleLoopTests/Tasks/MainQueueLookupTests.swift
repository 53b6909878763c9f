import Testing

@testable import IdleLoop

struct MainQueueLookupTests {
    @Test func `a function that Dispatch doesn't offer is named`() {
        let name = "_dispatch_no_such_function"
        #expect(throws: LoopError.noMainQueue(missing: name)) {
            _ = try unsafe MainQueue.find(name)
        }
        #expect(throws: Never.self) {
            _ = try unsafe MainQueue.find("_dispatch_main_queue_callback_4CF")
        }
    }
}
