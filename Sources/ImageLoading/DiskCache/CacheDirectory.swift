import Glibc

/// The folders for what programs keep and can make again.
///
/// ```swift
/// let cache = CacheDirectory.ofUser().map { HTTPCache(in: $0 + "/mine") }
/// ```
public enum CacheDirectory {
    /// The folder that all programs of a user share, each with a folder of its own in it; nil if the
    /// environment names no home.
    ///
    /// `$XDG_CACHE_HOME`, or `~/.cache`.
    ///
    /// - Parameter environment: The value of a variable.
    /// - Returns: An absolute path, be it there or not.
    public static func ofUser(environment: (String) -> String? = Self.environment) -> String? {
        absolute(environment("XDG_CACHE_HOME"))
            ?? absolute(environment("HOME")).map { $0 + "/.cache" }
    }

    /// The folder of a system service; nil if the service manager gave it none.
    ///
    /// `$CACHE_DIRECTORY`: systemd sets the variable for `CacheDirectory=`. Of several folders, it is
    /// the first.
    ///
    /// - Parameter environment: The value of a variable.
    /// - Returns: An absolute path, be it there or not.
    public static func ofService(environment: (String) -> String? = Self.environment) -> String? {
        absolute(environment("CACHE_DIRECTORY")?.split(separator: ":").first.map(String.init))
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
