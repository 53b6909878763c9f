internal import Glibc

/// What a loop could not do, and what the system said of it.
public enum LoopError: Error, Equatable {
    /// A call of libevent or the kernel failed with this `errno`.
    case system(call: String, errno: Int32)
    /// The descriptor is not open in this process.
    case badDescriptor(Int32)
    /// The descriptor is a regular file's or a folder's, which the kernel calls ready always.
    case notPollable(Int32)
    /// The signal can't be caught, or is no signal's number.
    case badSignal(Int32)
}

extension LoopError: CustomStringConvertible {
    /// The call and its error, for a log.
    public var description: String {
        switch self {
        case .system(let call, let code):
            "\(call): \(unsafe String(cString: strerror(code))) (\(code))"
        case .badDescriptor(let descriptor):
            "descriptor \(descriptor) is not open"
        case .notPollable(let descriptor):
            "descriptor \(descriptor) is a file or a folder, which is always ready"
        case .badSignal(let number):
            "signal \(number) can't be caught"
        }
    }
}
