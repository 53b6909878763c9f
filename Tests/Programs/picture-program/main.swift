// Loads ten thousand pictures as a list would that is scrolled for hours, in a process of its own,
// and prints what it has of memory and descriptors after a screen, a thousand, and at the end:
//     picture-program FOLDER [COUNT]
import DeferredLoading
import Foundation
import IdleLoop
import ImageLoading

/// What the process has at a moment.
struct Holdings {
    /// Kilobytes of memory in use.
    var memory = 0
    var descriptors = 0

    init() throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        for line in status.split(separator: "\n") where line.hasPrefix("VmRSS:") {
            memory = line.split(separator: " ").compactMap { Int($0) }.first ?? 0
        }
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}

/// The files of a folder, by name.
func files(of folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
}

/// A list of pictures that flies by, a screen of rows at a time.
@MainActor final class Scroll {
    private let screen = 8
    private let files: [String]
    private let loop: MainLoop
    private let loader: DeferredLoader<PictureRequest, Picture>
    private let list: LoadList<PictureRequest, Picture>
    private var first = 0
    private var marks: [Int]
    /// What the process had at the marks, and how many rows came to rest as pictures or errors.
    private(set) var loaded = 0
    private(set) var held: [Holdings] = []
    private(set) var failed = 0

    init(_ files: [String], marks: [Int]) throws {
        self.files = files
        self.marks = marks
        loop = try MainLoop()
        // Small enough to be full long before the first look.
        var limits = LoaderConfiguration()
        limits.byteLimit = 1 << 17
        let pool = try WorkerPool(width: 1, on: loop)
        loader = DeferredLoader(
            queue: IdleQueue(on: loop), source: PictureSource(on: loop, pool: pool),
            configuration: limits)
        list = loader.list { _, _ in }
    }

    /// Shows screen after screen until the last mark.
    func run() throws {
        let observer = loop.observe(.beforeIdle) { [unowned self] _ in advance() }
        show()
        try loop.run()
        observer.cancel()
        loader.close()
        loop.close()
    }

    /// A row's picture: the files again and again, each time in another size.
    private func request(_ row: Int) -> PictureRequest {
        let side = 40 + row / files.count % 57
        return PictureRequest(
            files[row % files.count], fitting: PixelSize(width: side, height: side))
    }

    private func show() {
        var wanted: [Wanted<PictureRequest>] = []
        for place in 0..<screen {
            if first > 0 { list.unsubscribe(from: request(first - screen + place)) }
            list.subscribe(to: request(first + place))
            wanted.append(Wanted(request(first + place), urgency: .visible, rank: place))
        }
        list.reconcile(with: wanted)
    }

    private func advance() {
        let states = (0..<screen).map { loader.state(of: request(first + $0)) }
        guard states.allSatisfy(\.isSettled) else { return }
        for state in states {
            if case .failed = state { failed += 1 } else { loaded += 1 }
        }
        first += screen
        if let mark = marks.first, first >= mark {
            marks.removeFirst()
            if let now = try? Holdings() { held.append(now) }
        }
        marks.isEmpty ? loop.stop() : show()
    }
}

guard CommandLine.arguments.count >= 2 else { exit(64) }
let count = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 0 : 10_000
let scroll = try Scroll(try files(of: CommandLine.arguments[1]), marks: [8, count / 10, count])
try scroll.run()
for moment in scroll.held { print("\(moment.memory) kB, \(moment.descriptors) descriptors") }
print("\(scroll.loaded) loaded, \(scroll.failed) failed")
