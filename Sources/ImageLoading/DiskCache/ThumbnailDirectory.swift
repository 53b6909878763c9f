import Glibc

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

    /// The folder that all programs of a user share; nil if the environment names no home.
    ///
    /// `$XDG_CACHE_HOME/thumbnails`, or `~/.cache/thumbnails`.
    ///
    /// - Parameter environment: The value of a variable.
    /// - Returns: The folder, be it there or not.
    public static func ofUser(
        environment: (String) -> String? = Self.environment
    ) -> ThumbnailDirectory? {
        absolute(environment("XDG_CACHE_HOME")).map { ThumbnailDirectory(path: $0 + "/thumbnails") }
            ?? absolute(environment("HOME")).map {
                ThumbnailDirectory(path: $0 + "/.cache/thumbnails")
            }
    }

    /// The folder of a system service; nil if the service manager gave it none.
    ///
    /// `$CACHE_DIRECTORY/thumbnails`: systemd sets the variable for `CacheDirectory=`. Of several
    /// folders, it is the first.
    ///
    /// - Parameter environment: The value of a variable.
    /// - Returns: The folder, be it there or not.
    public static func ofService(
        environment: (String) -> String? = Self.environment
    ) -> ThumbnailDirectory? {
        let first = environment("CACHE_DIRECTORY")?.split(separator: ":").first.map(String.init)
        return absolute(first).map { ThumbnailDirectory(path: $0 + "/thumbnails") }
    }

    /// The value of a variable of this process, if it has one.
    public static func environment(_ name: String) -> String? {
        unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }

    /// The text if it is an absolute path: others are to be ignored.
    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
        return path
    }
}
