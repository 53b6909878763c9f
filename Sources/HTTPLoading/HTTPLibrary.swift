import CCurl

/// The version of libcurl that the program runs with.
public var httpLibraryVersion: String { unsafe String(cString: http_library_version()) }
