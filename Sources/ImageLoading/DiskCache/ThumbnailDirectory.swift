/// Where the thumbnails of a user or of a service are.
public struct ThumbnailDirectory: Hashable, Sendable {
    /// The folder with `normal`, `large` and so on in it; it is made when first needed.
    public let path: String

    /// A folder of one's own.
    ///
    /// - Parameter path: An absolute path.
    public init(path: String) {
        precondition(
            path.hasPrefix("/") && !path.utf8.contains(0),
            "thumbnails are kept under an absolute path")
        self.path = path
    }

    /// The folder `thumbnails` of ``CacheDirectory/ofUser(environment:)``, which all programs of a
    /// user share.
    public static func ofUser(
        environment: (String) -> String? = CacheDirectory.environment
    ) -> ThumbnailDirectory? {
        CacheDirectory.ofUser(environment: environment).map(Self.init(inCache:))
    }

    /// The folder `thumbnails` of ``CacheDirectory/ofService(environment:)``.
    public static func ofService(
        environment: (String) -> String? = CacheDirectory.environment
    ) -> ThumbnailDirectory? {
        CacheDirectory.ofService(environment: environment).map(Self.init(inCache:))
    }

    private init(inCache folder: String) { self.init(path: folder + "/thumbnails") }
}
