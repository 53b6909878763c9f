import DeferredLoading
import IdleLoop
import ScrollModel

struct Words: LoadSource {
    final class Word: Load {
        func step(in slot: borrowing IdleSlot) -> LoadStep<String> { .done("word") }
    }

    func load(_ row: Int, fetched: Never?) -> any Load<String> { Word() }
}

let loop = try MainLoop()
let rows = Viewport(rows: try RowHeights(count: 5000, height: 80), height: 400)
let list = try DeferredList(on: loop, rows, source: Words()) { row in
    row
} show: { row, state in
    if state.value != nil, row == 4 { loop.stop() }
}
try loop.run()
print(list.motion)
