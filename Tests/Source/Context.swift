// Declarations for the names that examples use and don't declare: those of README.md, of the catalogues
// and of doc comments of what is public. This file is compiled with them and never run; each of them
// sees what is imported here, and no more of it than a program does. What has another type in one
// file's examples stands in an enumeration named after that file: `ImageLoading/Picture+Bytes.swift` has `PictureBytesExamples`.

import Foundation
import HTTPLoading
import ImageFormatsHEIF
import IsolatedDecoding
import DeferredLoading
import IdleLoop
import ImageLoading
import ListCells
import LullTesting
import LoopSystemd
import ScrollModel
import Synchronization
import TestSupport
import Testing

func given<Value: ~Copyable>() -> Value { fatalError("examples aren't run") }

// The loop, and what a daemon has beside it.
var base: OpaquePointer { given() }
var loop: MainLoop { given() }
var slot: IdleSlot { given() }
var watch: Watch { given() }
var now: Instant { given() }
var pool: WorkerPool { given() }
var configuration: Int {
    get { given() }
    set {}
}
func read() -> Int { given() }
func reload() {}
func log(_ facts: Any...) {}
func save<Key>(_ reports: [ShutdownReport<Key>]) {}
func serve(on descriptor: Int32) throws {}

// Lists.
var viewport: Viewport {
    get { given() }
    set {}
}
var heights: RowHeights { given() }
var tracker: ScrollTracker {
    get { given() }
    set {}
}
var rule: ListRule {
    get { given() }
    set {}
}
var facts: any LoadStatus { given() }
var moment: ScrollState { given() }
var offset: Double { given() }
var time: Instant { given() }
func measure(_ row: RowIndex) -> Double { given() }
func draw(_ position: Int, _ frame: RowFrame) {}
func draw(_ element: ListElement, at offset: Double) {}

// Loading.
var row: Int { given() }
var wanted: [Wanted<Int>] { given() }
var queue: IdleQueue<Int> { given() }
struct Decoder {
    var isFinished: Bool { given() }
    var endedScan: Bool { given() }
    var picture: Picture { given() }
    func decodeSomeRows() throws {}
}
var decoder: Decoder { given() }
var thumbnails: any LoadSource<Int, Picture> { given() }
final class PhotoCell {
    var title = ""
    func clear() {}
    func hide() {}
    func show(_ picture: Picture) {}
}
var cells: [PhotoCell] { given() }
struct Photo: Identifiable {
    var id: Int { given() }
    var title: String { given() }
}
enum Kind { case photo, video }
var photo: Photo { given() }
var photos: [Photo] { given() }

// Replays.
var trace: Trace { given() }
var list: Viewport { given() }
struct MyPolicy: LoadingPolicy {
    func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? { given() }
}

// Pictures.
var path: String { given() }
var header: PictureHeader { given() }
var targetSize: PixelSize { given() }
var picture: Picture { given() }
var request: PictureRequest { given() }
var stamp: FileStamp { given() }
func show(_ picture: Picture) {}
enum terminal { static func write(_ bytes: some Sequence<UInt8>) {} }

enum READMEExamples {
    static func cell(of request: PictureRequest) -> PhotoCell { given() }
    static func rebuildIndex() {}
}

// Articles and pages of modules.
enum BoundingMemoryExamples {
    static var list: DeferredList<Int, Picture> { given() }
}
enum BuildingAListExamples {
    static var list: DeferredList<Int, Picture> { given() }
    static var views: [ListElement: PhotoCell] { given() }
    static var loader: DeferredLoader<String, Picture> { given() }
    static var names: [String] { given() }
    enum page {
        static var name: String { given() }
        static var display: RemoteDisplay<String> { given() }
        static var events: [ScrollEvent] { given() }
        static func send(_ picture: Picture, _ name: String) {}
    }
    enum path {
        static var start: Double {
            get { given() }
            set {}
        }
    }
}
enum GuestOfAnotherLoopExamples {
    static func rebuildIndex() {}
}
enum ImageLoadingExamples {
    static var cells: [PictureRequest: PhotoCell] { given() }
    static var loader: DeferredLoader<PictureRequest, Picture> { given() }
    static var source: PictureSource { given() }
}
@MainActor enum MainActorExamples {
    @concurrent static func countFiles() async -> Int { given() }
}
enum TestingOnVirtualTimeExamples {
    static func squaresShown() throws -> (shown: [Int: Int], time: Duration) { given() }
}
enum WhereWorkRunsExamples {
    static var pages: [String] { given() }
}

// DeferredLoading.
enum DeferredListCreatingExamples {
    static var list: DeferredList<String, Picture> { given() }
    static var source: any LoadSource<Int, Picture> { given() }
    static var albums: [[Int]] { given() }
    static var covers: [Int] { given() }
    static func show(_ picture: Picture?, at index: RowIndex) {}
    static func show(_ picture: Picture?, at element: ListElement) {}
    static var loader: DeferredLoader<String, Picture> { given() }
    static var names: [String] { given() }
    enum page {
        static var name: String { given() }
        static var display: RemoteDisplay<String> { given() }
        static var events: [ScrollEvent] { given() }
        static func send(_ picture: Picture, _ name: String) {}
    }
}
enum FetchExamples {
    enum client {
        static func body(of path: String) async throws -> [UInt8] { given() }
    }
    final class Transfer: PendingOperation {
        func cancel() {}
    }
    enum connection {
        static func get(
            _ path: String, _ completion: (Result<[UInt8], any Error>) -> Void
        ) -> Transfer { given() }
    }
    static func readFile(_ path: String) throws -> [UInt8] { given() }
}
enum WorkKindExamples {
    struct Photo {
        let isScan: Bool
        let byteCount: Int
    }
}
enum LoadListExamples {
    static var loader: DeferredLoader<Int, Picture> { given() }
    enum sidebar {
        static func show(_ picture: Picture, of album: Int) {}
    }
    static var album: Int { given() }
}
enum RemoteDisplayExamples {
    static var loader: DeferredLoader<String, Picture> { given() }
    static var sent: Set<String> {
        get { given() }
        set {}
    }
    static var roundTrip: Duration { given() }
    static var bytesPerSecond: Double { given() }
    static var names: [String] { given() }
}
enum LoadSourceExamples {
    struct Photo: Hashable {
        func read() throws -> [UInt8] { given() }
    }
    final class DecodingLoad: Load {
        init(of bytes: [UInt8]) throws {}
        func step(in slot: borrowing IdleSlot) -> LoadStep<Picture> { given() }
    }
}

// HTTPLoading.
enum FetchHTTPExamples {
    static var http: HTTPLoader { given() }
}
enum HTTPLoadingExamples {
    static var http: HTTPLoader { given() }
}
enum HTTPLoaderTasksExamples {
    static var http: HTTPLoader { given() }
    static func show(_ bytes: [UInt8]) {}
}
enum HTTPCacheExamples {
    static var workers: WorkerPool { given() }
}
enum HTTPLoaderExamples {
    static var http: HTTPLoader { given() }
    static var bytes: [UInt8] {
        get { given() }
        set {}
    }
    static var decoder: PictureJob? {
        get { given() }
        set {}
    }
}

// IdleLoop.
enum LaneExecutorExamples {
    static var pages: [String] { given() }
}
enum FrameSourceExamples {
    static func drawList(at due: Instant) {}
}
enum IdleQueueExamples {
    static var queue: IdleQueue<String> { given() }
    static func render(_ page: Int) {}
}
enum TaskSlotExamples {
    static var slot: TaskSlot {
        get { given() }
        set {}
    }
    static var pages: [[String]] {
        get { given() }
        set {}
    }
    static var words: Set<String> {
        get { given() }
        set {}
    }
}
enum MainLoopTasksExamples {
    static var rows: [RowIndex] {
        get { given() }
        set {}
    }
}
enum MemoryPressureExamples {
    static var loader: DeferredLoader<Int, Int> { given() }
}

// ImageLoading and IsolatedDecoding.
enum DiskCacheExamples {
    static var page: [UInt8] { given() }
}
enum HEIFDecoderExamples {
    static var targetSize: PixelSize { given() }
}
enum PictureRequestExamples {
    static var list: LoadList<PictureRequest, Picture> { given() }
}
final class PNGFile: SteppedWork {
    init(_ picture: Picture) {}

    func advance() throws(PictureError.Reason) -> [UInt8]? { given() }
}
enum PicturePipelineExamples {
    static var queue: IdleQueue<PictureRequest> { given() }
}

// The others.
enum FlingForecastExamples {
    static var list: DeferredList<Int, Picture> { given() }
}
enum FrameScheduleExamples {
    static var path: OffsetPath { given() }
    static var options: ReplayOptions { given() }
}
enum TraceReaderExamples {
    static var recorded: [[UInt8]] { given() }
}
enum LiveObjectsExamples {
    static var descriptor: Int32 { given() }
}

// ScrollModel.
enum KeyedHeightCacheExamples {
    static func layout(_ photo: Photo, _ width: Double) -> (height: Double, Void) { given() }
}
enum ListUpdateExamples {
    static var list: ListLayout {
        get { given() }
        set {}
    }
}
enum ListCellsExamples {
    static var mapping: IndexMapping { given() }
}
enum ReusePoolExamples {
    static var pass: ReusePool<Kind, Int, PhotoCell>.Pass {
        get { given() }
        set {}
    }
}
