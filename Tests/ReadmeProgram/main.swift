import Lull
let loop = try MainLoop()
let queue = IdleQueue<Int>(on: loop)
var tracker = ScrollTracker(Viewport(rows: try RowHeights(count: 5000, height: 80), height: 400))
let now = loop.clock.now
tracker.note(.down(y: 700), at: now)
for i in 1...10 { tracker.note(.moved(y: 700 - Double(30 * i)), at: now + .milliseconds(8 * i)) }
let fling = tracker.note(.up(y: 400), at: now + .milliseconds(88)).forecast  // it lets go
for row in tracker.viewport.visibleRows(at: fling?.target ?? 0) {
    queue.submit(row, onEnd: { _ in if queue.isEmpty { loop.stop() } }) { _ in
        print("row \(row) is loaded")  // or a part of it; then .again
        return .done
    }
}
try loop.run()
