import Glibc

/// A file that is open for reading until nobody holds this.
public final class OpenedFile: Sendable {
    /// The descriptor, which stays this object's.
    public let number: Int32

    /// Takes over a descriptor.
    public init(owning number: Int32) { self.number = number }

    deinit { close(number) }
}
