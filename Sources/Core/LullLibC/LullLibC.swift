// The system's C library, which all modules of the library import by this one name.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl

extension Int32 {
    /// The number itself: some constants are enumerations in Glibc, and numbers in Musl.
    package var rawValue: Int32 { self }
}
#endif
