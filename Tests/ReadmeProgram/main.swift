import Lull
let loop = try MainLoop()
let queue = IdleQueue<Int>(on: loop)
let list = Viewport(rows: try RowHeights(count: 5000, height: 80), height: 400)
var predictor = FlingPredictor(model: ChromiumPhysicsFling())
predictor.fingerDown(700, at: .zero, offset: list.offset)
for i in 1...10 { predictor.fingerMoved(700 - Double(30 * i), at: .milliseconds(8 * i)) }
let fling = predictor.fingerUp(400, at: .milliseconds(88), in: list)  // the finger lets go
for row in list.visibleRows(at: fling?.target ?? list.offset) {
    queue.submit(row, urgency: .landing, onEnd: { _ in if queue.isEmpty { loop.stop() } }) { _ in
        print("row \(row) is loaded")  // or a part of it; then .again
        return .done
    }
}
try loop.run()
