internal import Glibc

/// The owner of a descriptor, which is closed on deinitialization.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The descriptor's number.
    public let number: Int32

    /// Takes ownership of a descriptor.
    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Transfers the descriptor to the caller, who closes it.
    public consuming func take() -> Int32 {
        let number = number
        discard self
        return number
    }
}
