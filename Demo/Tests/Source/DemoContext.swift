// Declarations of the names that examples of demos use, beside those of the library's examples in
// Tests/Source/Context.swift.

import GalleryCatalogue
import GalleryFiles
import GalleryPictures
import GalleryWeb
import IdleLoop
import Laboratory
import LullTesting
import PeerPolicies
import ReplayReport
import ReplayTerminal
import TerminalPictures

@testable import GalleryKit
@testable import TraceFormats

enum NamedPolicyExamples {
    static var options: ReplayOptions { given() }
}

enum TraceRecorderExamples {
    static var bytes: [UInt8] { given() }
}

enum KittyGraphicsExamples {
    static var cells: CellSize { given() }
}

enum TerminalAnswersExamples {
    static var parser: TerminalAnswers {
        get { given() }
        set {}
    }
    static var bytes: [UInt8] { given() }
}

enum FolderWatchesExamples {
    static var folder: OpenFile { given() }
    static func handle(_ events: [FolderEvent]) {}
}

enum PictureFolderExamples {
    static var path: FilePath { given() }
}

enum ThumbnailSourceExamples {
    static var folder: PictureFolder { given() }
    static var cache: ThumbnailDiskCache { given() }
    static var catalogue: Catalogue { given() }
    static var queue: IdleQueue<ThumbnailKey> { given() }
}

enum WebExchangeExamples {
    struct Thumbnails {
        func load(_ key: ThumbnailKey, then completion: ([UInt8]) -> Void) {}
    }
    static var thumbnails: Thumbnails { given() }
    static var key: ThumbnailKey { given() }
    static var exchange: WebExchange { given() }
}
