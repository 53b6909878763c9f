// Shows the pictures of a list of addresses, one a line of a file: remote-program ADDRESSES [any]
import Foundation
import HTTPLoading
import ImageLoading
import Lull

final class Cell {
    func show(_ row: Int, _ state: LoadState<Picture>) {
        switch state {
        case .refined(let picture, _): print("row \(row): \(picture.size) until there is more")
        case .loaded(let picture): print("row \(row): \(picture.size)")
        case .failed(let error, _): print("row \(row): \(error)")
        case .placeholder, .queued, .fetching, .loading: print("row \(row): …")
        }
        fflush(nil)
    }
}
let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
let urls = text.split(separator: "\n").map(String.init)
let loop = try MainLoop()
var configuration = HTTPLoaderConfiguration()
configuration.addresses = CommandLine.arguments.contains("any") ? .any : .publicOnly
let http = HTTPLoader(on: loop, configuration: configuration)
let rows = Viewport(rows: try RowHeights(count: urls.count, height: 80), height: 400)
var pool = ReusePool<Int, Int, Cell>()
let source = PictureSource(on: loop, transport: http)
let options = ListOptions<Int>(layout: { rows in
    pool.layout(rows, prepare: { _ in }) { _, pass in pass.dequeue(0) { Cell() } }
})
let list: DeferredList = try DeferredList(on: loop, rows, source: source, options: options) { row in
    PictureRequest(url: urls[row], fitting: PixelSize(width: 120, height: 80))
} show: { row, state in
    pool[row]?.show(row, state)
}
let input = try loop.watch(0, for: .readable) { _ in
    guard let offset = readLine().flatMap(Double.init) else { return loop.stop() }
    list.scrolled(to: offset)  // a number a line scrolls there
}
try loop.run()
