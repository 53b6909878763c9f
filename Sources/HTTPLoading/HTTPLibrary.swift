import CCurl

/// The version of libcurl that the program runs with.
public var httpLibraryVersion: String { unsafe String(cString: http_library_version()) }

/// What came of readying the library, which happens once a process.
let httpLibraryStart: CURLcode = http_library_start()
