internal import GalleryKit
internal import GalleryPictures
internal import GalleryWeb
internal import Glibc
internal import ImageLoading

/// Values derived from the options.
extension GalleryCommand {
    /// Where metrics are.
    var metricsPlace: MetricsPlace {
        metrics
            ?? Self.first(in: "RUNTIME_DIRECTORY").map { .at(.unix(path: $0 + "/metrics.sock")) }
            ?? .none
    }

    /// Returns the first of the folders that a service manager has set in a variable.
    private static func first(in variable: String) -> String? {
        CacheDirectory.environment(variable)?.split(separator: ":").first.map(String.init)
    }

    /// The folder's name.
    var title: String {
        let path = unsafe realpath(folder, nil).map { path in
            defer { unsafe free(path) }
            return unsafe String(cString: path)
        }
        return (path ?? folder).split(separator: "/").last.map(String.init) ?? "Gallery"
    }

    var diskCache: ThumbnailDiskCache? {
        cacheFolder.map { ThumbnailDiskCache.thumbnails(in: $0 + "/thumbnails") }
    }

    /// The folder of all caches; nil without caches.
    private var cacheFolder: String? {
        guard let folder = cache ?? CacheDirectory.ofService(), !folder.isEmpty else { return nil }
        return folder == "none" ? nil : folder
    }
}
