import CLullLibevent
import CLull
import LullC
import Testing

/// Tests of lull.h's lists from Swift, where the sanitizers look on.
struct ListTests {
    @Test func `values are loaded in slices, shown, and each dropped once`() throws {
        let screen = try Screen(rule: LULL_RULE_VISIBLE)
        defer { screen.close() }
        screen.settle()
        #expect(screen.shown == [0, 1, 2, 3] && screen.live == 4)
        for page in 1..<10 {
            #expect(unsafe lull_list_scroll(screen.list, Double(page * 400), -1) == LULL_OK)
            screen.settle()
        }
        #expect(screen.live == 8)  // which is the limit
        #expect(unsafe lull_list_invalidate(screen.list, 36) == LULL_OK)
        #expect(screen.live == 7)
        #expect(unsafe lull_list_close(screen.list) == LULL_OK)
        #expect(screen.live == 0 && screen.made == 40)
    }

    @Test(arguments: Screen.Callback.allCases)
    func `a list may be closed in any of its callbacks`(_ callback: Screen.Callback) throws {
        let screen = try Screen()
        defer { screen.close() }
        if callback != .load { screen.settle() }
        screen.onCall = { [unowned screen] called in
            guard called == callback else { return }
            screen.onCall = { #expect($0 == .drop) }
            #expect(unsafe lull_list_close(screen.list) == LULL_OK)
            #expect(unsafe lull_list_close(screen.list) == LULL_STALE)
        }
        unsafe lull_list_scroll(screen.list, 600, -1)
        unsafe lull_list_invalidate(screen.list, 6)
        for _ in 0..<20 { unsafe event_base_loop(screen.base, EVLOOP_NONBLOCK) }
        #expect(unsafe lull_list_count(screen.list) == Int64(LULL_STALE.rawValue))
        #expect(screen.live == 0)
    }

    @Test(arguments: [nil, 2.5]) func `a price is within its limits`(_ price: Double?) throws {
        let screen = try Screen(price: price)
        defer { screen.close() }
        #expect(unsafe lull_list_price(screen.list) == price ?? 0)
        screen.settle()
        #expect(unsafe lull_list_price(screen.list) == price ?? 0)
        #expect(unsafe lull_list_close(screen.list) == LULL_OK)
        #expect(unsafe lull_list_price(screen.list) == Double(LULL_STALE.rawValue))
    }

    @Test func `another thread is refused`() throws {
        let screen = try Screen()
        defer { screen.close() }
        let list = unsafe UInt(bitPattern: screen.list)
        let thread = Started {
            let list = unsafe OpaquePointer(bitPattern: list)
            for _ in 0..<1000 {
                #expect(unsafe lull_list_scroll(list, 100, -1) == LULL_WRONG_THREAD)
                #expect(unsafe lull_list_count(list) == Int64(LULL_WRONG_THREAD.rawValue))
                #expect(unsafe lull_list_close(list) == LULL_WRONG_THREAD)
            }
        }
        for row in 0..<1000 { unsafe lull_list_scroll(screen.list, Double(row), -1) }
        thread.wait()
        screen.settle()
    }
}

/// A host with a list of 100 rows of 100 px, of which 4 are in view and 8 are kept.
@safe
final class Screen {
    enum Callback: CaseIterable { case load, show, drop, key, cost, kind }

    let base: OpaquePointer
    private let loop: OpaquePointer
    private(set) var list: OpaquePointer?
    /// The numbers of values that are there, and that were made.
    private(set) var live = 0
    private(set) var made = 0
    /// The rows whose values were shown, as they came.
    private(set) var shown: [Int64] = []
    var onCall: (Callback) -> Void = { _ in }

    init(rule: lull_rule = LULL_RULE_VALUE, price: Double? = nil) throws {
        unsafe base = try unsafe #require(unsafe event_base_new())
        var loop: OpaquePointer?
        #expect(unsafe lull_adopt(base, &loop) == LULL_OK)
        unsafe self.loop = try unsafe #require(unsafe loop)
        var options = unsafe lull_list_options()
        unsafe lull_list_options_init(&options, MemoryLayout<lull_list_options>.size)
        unsafe options.rows = 100
        unsafe options.row_height = 100
        unsafe options.height = 400
        unsafe options.limit = 8
        unsafe options.rule = rule
        unsafe options.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe options.load = { _, load, context in
            guard let screen = unsafe Screen.of(context), let load = unsafe load else {
                return LULL_FAILED
            }
            screen.onCall(.load)
            guard unsafe load.pointee.value == nil else { return LULL_DONE }
            let value = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
            unsafe value.initialize(to: load.pointee.key)
            unsafe load.pointee.value = UnsafeMutableRawPointer(value)
            screen.live += 1
            screen.made += 1
            return LULL_REFINED
        }
        unsafe options.show = { row, context in
            guard let screen = unsafe Screen.of(context), let row = unsafe row?.pointee else {
                return
            }
            if let value = unsafe row.value {
                #expect(unsafe value.load(as: UInt64.self) == UInt64(row.row))
            }
            if unsafe row.state == LULL_ROW_LOADED { unsafe screen.shown.append(row.row) }
            screen.onCall(.show)
        }
        unsafe options.drop = { key, value, context in
            guard let screen = unsafe Screen.of(context), let value = unsafe value else { return }
            #expect(unsafe value.load(as: UInt64.self) == key)
            unsafe value.assumingMemoryBound(to: UInt64.self).deallocate()
            screen.live -= 1
            screen.onCall(.drop)
        }
        unsafe options.key = { row, context in
            unsafe Screen.of(context)?.onCall(.key)
            return UInt64(row)
        }
        unsafe options.cost = { _, context in
            unsafe Screen.of(context)?.onCall(.cost)
            return 1_000_000
        }
        unsafe options.kind = { key, size, context in
            #expect(unsafe size?.pointee == Int64(LULL_NONE))
            unsafe size?.pointee = Int64(key)
            unsafe Screen.of(context)?.onCall(.kind)
            return Int64(key % 2)
        }
        if let price {
            unsafe options.least_price = price
            unsafe options.greatest_price = price
        }
        #expect(unsafe lull_list_new(loop, &options, &list) == LULL_OK)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Screen? {
        unsafe context.map { unsafe Unmanaged<Screen>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Dispatches until the rows in view are there.
    func settle() {
        var first: Int64 = 0
        let count = unsafe lull_list_visible(list, &first)
        let isLoaded = { [list = unsafe self.list] (number: Int64) in
            var row = unsafe lull_row()
            unsafe lull_list_get_row(list, number, &row, MemoryLayout<lull_row>.size)
            return unsafe row.state == LULL_ROW_LOADED
        }
        while !(first..<first + count).allSatisfy(isLoaded) {
            unsafe event_base_loop(base, EVLOOP_ONCE)
        }
    }

    /// Closes the loop and frees the base; nothing is left.
    func close() {
        #expect(unsafe lull_close(loop) == LULL_OK)
        unsafe event_base_free(base)
        #expect(live == 0)
        onCall = { _ in }  // what it holds may hold the screen
    }
}
