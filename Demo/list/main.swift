// A list of 100,000 rows of pictures in a terminal; see `run`:
// terminal-list LINES [--trace FILE] FILE-OR-URL...
import Glibc
import HTTPLoading
import ImageLoading
import Lull
import LullTesting

let height = Int(CommandLine.arguments[1]) ?? 24
var names = Array(CommandLine.arguments.dropFirst(2))
let trace = names[0] == "--trace" ? try Trace(contentsOf: names[1]) : nil
if trace != nil { names.removeFirst(2) }
let (line, lines) = (24.0, 8)  // the height of a line in px, and the lines of a row
let loop = try MainLoop()
var texts: [Int: [String]] = [:]
var fling: (path: Fling, start: Instant)?
var drag: (offset: Double, y: Double)?
var end = Instant.zero  // of the trace
let frames: FrameSource = loop.frames(every: .nanoseconds(16_666_667)) { _ in
    let offset = fling.map { $0.path.offset(at: loop.clock.now - $0.start) }
    let isPlaying = loop.clock.now < end
    if !isPlaying { list.scrolled(to: offset ?? list.viewport.offset) }
    let isMoving = fling.map { loop.clock.now - $0.start < $0.path.duration } ?? false
    if !isMoving, !isPlaying { frames.pause() }
    texts = texts.filter { list.viewport.visibleRows.contains($0.key) }
    let top = Int(list.viewport.offset / line)
    let screen = (top..<top + height).map { place in
        (texts[place / lines] ?? []).dropFirst(place % lines).first ?? ""
    }
    let text = "\u{1B}[H" + screen.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K"
    _ = unsafe write(1, text, text.utf8.count)
}
let rows = try RowHeights(count: 100_000, height: line * Double(lines))
let window = Viewport(rows: rows, height: line * Double(height))
let caches = CacheDirectory.ofUser()
let source = PictureSource(
    on: loop, store: caches.map { ThumbnailCache(in: $0 + "/thumbnails") },  // the desktop's
    transport: HTTPLoader(on: loop, cache: caches.map { HTTPCache(in: $0 + "/terminal-list") }))
let list: DeferredList = try DeferredList(on: loop, window, source: source) { row in
    let pixels = PixelSize(width: 32, height: 2 * (lines - 1))
    return PictureRequest(named: names[row % names.count], fitting: pixels)
} show: { row, state in
    let message = state.isSettled ? "can't be shown" : "…"
    texts[row] = (state.shown?.halfBlocks ?? [message]) + ["row \(row)"]
    frames.resume()
}
if let trace { end = trace.play(into: list) { _ in frames.resume() } }
let input = try loop.watch(0, for: .readable) { _ in
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = max(0, unsafe read(0, &bytes, 256))
    let keys = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\u{1B}")
    for key in keys {
        let numbers = key.dropFirst(2).dropLast().split(separator: ";").compactMap { Double($0) }
        var (event, offset) = (ScrollEvent.key, list.viewport.offset)
        switch (key, numbers.first) {
        case ("[A", _), ("[B", _): offset += key == "[A" ? -line : line
        case (_, 64), (_, 65): (event, offset) = (.wheel, offset + (numbers[0] == 64 ? -72 : 72))
        case (_, 0), (_, 32):
            let y = line * (numbers.last ?? 0)
            event = drag == nil ? .down(y: y) : key.hasSuffix("m") ? .up(y: y) : .moved(y: y)
            let start = drag ?? (offset, y)
            (drag, offset) = (key.hasSuffix("m") ? nil : start, start.offset + start.y - y)
        default: continue
        }
        list.handle(event, offset: offset)
        fling = drag == nil ? list.forecast?.path.map { ($0, loop.clock.now) } : nil
        frames.resume()
    }
    if count == 0 || keys.contains("q") { loop.stop() }
}
try loop.run()
