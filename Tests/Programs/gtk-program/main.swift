// A grid of GTK 4 that is followed in Swift: scrolled, changed, and closed while it loads. Ends with
// status 0 if all in view was loaded each time, and no widget showed another item's value.
#if GTK4
import CGTKWindow
import DeferredLoading
import Glibc
import IdleLoop
import LoopGLib
import LoopGTK4
import ScrollModel

/// Loads the text of an item in two slices.
final class TextLoad: Load {
    private let text: String
    private var hasBegun = false

    init(_ text: String) { self.text = text }

    func step(in slot: borrowing IdleSlot) -> LoadStep<String> {
        defer { hasBegun = true }
        return hasBegun ? .done(text) : .more
    }
}

func check(_ condition: Bool, _ law: String) {
    guard !condition else { return }
    print("not so: \(law)")
    exit(1)
}

func text(_ item: UnsafeMutableRawPointer) -> String {
    unsafe String(cString: window_text(item))
}

guard let grid = unsafe window_open(3000) else { exit(69) }
let loop = unsafe try MainLoop(onGLib: nil)
var shown = 0
var pictures: GTKList<String>? = unsafe try GTKList(following: grid, on: loop) { item in
    unsafe TextLoad(text(item))
} show: { cell, state in
    if let value = state.value {
        check(unsafe value == text(cell.item), "a widget shows its own item's value")
        shown += 1
    }
    unsafe window_show(cell.listItem, state.value ?? "")
}
let list = pictures!.list

/// Waits until all rows in view are loaded, from a row on.
@MainActor
func load(from row: Int) {
    while true {
        let rows = list.viewport.visibleRows
        if let first = rows.first, first >= row,
            rows.allSatisfy({ list.state(ofRow: $0).value != nil })
        {
            return
        }
        window_iterate()
    }
}

load(from: 0)
check(list.viewport.list.rowCount == 3000, "the list has the model's rows")
window_scroll(1800)
load(from: 140)
window_insert(300)
check(list.viewport.list.rowCount == 3300, "the list has the inserted rows")
load(from: 440)
check(shown >= 30, "values were shown")
window_scroll(9000)
window_iterate()
pictures = nil  // while it loads
check(list.state(ofRow: 800).value == nil, "a closed list has no values")
window_close()
loop.close()
print("a grid of GTK is followed in Swift: \(shown) values shown")
#else
print("built without the trait GTK4")
#endif
