import Lull

let loop = try MainLoop()
let queue = IdleQueue<Int>(on: loop)
var sum = 0
for number in 1...9 { queue.submit(number) { _ in add(number) } }
try loop.run()

func add(_ number: Int) -> JobProgress {
    sum += number
    if queue.statistics.waiting == 0 { loop.stop() }
    return .done
}
