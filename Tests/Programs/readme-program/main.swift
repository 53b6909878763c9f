import Foundation
import ImageLoading
import Lull

let photos = try FileManager.default.contentsOfDirectory(atPath: "Demo/photos").sorted()
let loop = try MainLoop()
let rows = Viewport(rows: try RowHeights(count: 5000, height: 80), height: 400)
let near = ListOptions<Int>(rule: .within(rows: 3))
let list = try DeferredList(on: loop, rows, source: PictureSource(on: loop), options: near) { row in
    PictureRequest("Demo/photos/\(photos[row % 24])", fitting: PixelSize(width: 120, height: 80))
} show: { row, state in
    if let picture = state.value { print("row \(row) is there, \(picture.size.width) px wide") }
}
let now = loop.clock.now
list.handle(.down(y: 700), at: now)  // a finger, and the list follows it
for way in stride(from: 32.0, through: 320, by: 32) {
    list.handle(.moved(y: 700 - way), at: now + .milliseconds(way / 4), offset: way)
}
let lift = now + .milliseconds(88)
list.handle(.up(y: 380), at: lift)  // it lets go, and the list flies
let fling = list.forecast?.path
let frames = loop.frames(every: .milliseconds(16)) { frame in
    list.scrolled(to: fling?.offset(at: frame.due - lift) ?? 0, at: frame.due)
    guard list.motion.timeAtRest(at: frame.due) >= .milliseconds(200) else { return }
    let rows = list.viewport.visibleRows
    if rows.allSatisfy({ list.state(ofRow: $0).isSettled }) { loop.stop() }
}
try loop.run()
