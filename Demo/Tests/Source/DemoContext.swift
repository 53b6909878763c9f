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
import TerminalPictures

@testable import GalleryKit

enum NamedPolicyExamples {
    static var options: ReplayOptions { given() }
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
