import IdleLoop
import ImageLoading

extension IsolatedError: CustomStringConvertible {
    /// The error in one line, for a log; a file's name can't break the line.
    public var description: String {
        switch self {
        case .picture(let error): error.description
        case .helper(let file, let failure): "\(singleLine(file)): the helper \(failure)"
        case .noHelper(let failure): "no helper: \(failure)"
        case .tooMany(let limit): "\(limit) pictures wait already"
        case .system(let error): "\(error)"
        case .closed: "the decoder was closed"
        }
    }
}

extension IsolatedError.HelperFailure: CustomStringConvertible {
    /// The failure in words.
    public var description: String {
        switch self {
        case .system(let error): "\(error)"
        case .ended(.exited(let status)): "ended with status \(status)"
        case .ended(.killed(let signal)): "was ended by signal \(signal)"
        case .ended(.unknown): "is gone"
        case .silent(let after): "gave no answer for \(after)"
        case .invalidReply(let reply): "lied: \(reply)"
        }
    }
}

extension IsolatedError.InvalidReply: CustomStringConvertible {
    /// The protocol error in words.
    public var description: String {
        switch self {
        case .garbage: "no message of this version"
        case .unexpected: "an answer to what wasn't asked"
        case .wrongSize(let size): "a picture of \(size) pixels"
        case .badPixels: "not the pixels of the picture"
        }
    }
}
