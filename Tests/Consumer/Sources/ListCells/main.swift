import ListCells

final class Cell {}
var pool = ReusePool<Int, Int, Cell>()
pool.layout(0..<5, prepare: { _ in }) { _, pass in pass.dequeue(0) { Cell() } }
print(pool[4] != nil)
