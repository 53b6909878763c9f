import LullLibC

/// The directories for data that programs store and can make again.
///
/// ```swift
/// let cache = CacheDirectory.ofUser().map { HTTPCache(in: $0 + "/mine") }
/// ```
public enum CacheDirectory {
    /// Returns the cache directory that all programs of a user share, each with a subdirectory of
    /// its own; nil if the environment names no home directory.
    ///
    /// This is `$XDG_CACHE_HOME`, or `~/.cache`.
    ///
    /// - Parameter environment: Returns the value of a variable.
    /// - Returns: An absolute path, which need not exist.
    public static func ofUser(environment: (String) -> String? = Self.environment) -> String? {
        absolute(environment("XDG_CACHE_HOME"))
            ?? absolute(environment("HOME")).map { $0 + "/.cache" }
    }

    /// Returns the cache directory of a system service; nil if the service manager gave it none.
    ///
    /// This is `$CACHE_DIRECTORY`, which systemd sets for `CacheDirectory=`. If there are several
    /// directories, it's the first.
    ///
    /// - Parameter environment: Returns the value of a variable.
    /// - Returns: An absolute path, which need not exist.
    public static func ofService(environment: (String) -> String? = Self.environment) -> String? {
        absolute(environment("CACHE_DIRECTORY")?.split(separator: ":").first.map(String.init))
    }

    /// Returns the value of an environment variable of this process; nil if it isn't set.
    public static func environment(_ name: String) -> String? {
        unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }

    /// Returns the text if it is an absolute path; other values are ignored.
    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
        return path
    }
}
