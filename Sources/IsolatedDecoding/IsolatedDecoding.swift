import CSandbox

/// The version of the library that filters system calls.
var sandboxVersion: UInt32 { sandbox_library_version() }
