import IdleLoop
import ImageLoading

extension IsolatedError: CustomStringConvertible {
    /// One line for a log, whatever is in the name of the file.
    public var description: String {
        switch self {
        case .picture(let error): error.description
        case .tooSlow(let file, let limit):
            "\(line(file)): takes more than \(limit) of processor time"
        case .helperHung(let file, let after):
            "\(line(file)): the helper gave no answer for \(after)"
        case .helperDied(let file, let end): "\(line(file)): the helper \(words(end))"
        case .helperLied(let file, let lie): "\(line(file)): the helper lied: \(lie)"
        case .noHelper(let failure): "no helper: \(failure)"
        case .tooMany(let limit): "\(limit) pictures wait already"
        case .system(let error): "\(error)"
        case .closed: "the decoder was closed"
        }
    }
}

extension IsolatedError.Lie: CustomStringConvertible {
    /// What was wrong, in words.
    public var description: String {
        switch self {
        case .garbage: "no message"
        case .unexpected: "an answer to what wasn't asked"
        case .wrongSize(let size): "a picture of \(size) pixels"
        case .badPixels: "not the pixels of the picture"
        }
    }
}

extension IsolatedError.StartFailure: CustomStringConvertible {
    /// What went wrong, in words.
    public var description: String {
        switch self {
        case .system(let error): "\(error)"
        case .ended(let end): words(end)
        case .silent(let after): "wasn't ready after \(after)"
        case .stranger: "another program, or another version"
        }
    }
}

extension SystemError: CustomStringConvertible {
    /// The call and its error, for a log.
    public var description: String { LoopError.system(call: call, errno: errno).description }
}

private func words(_ end: ChildExit) -> String {
    switch end {
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .unknown: "is gone"
    }
}

/// The name of a file as an error about it would write it.
private func line(_ file: String) -> String {
    // The part before the reason, which has no colon.
    String(PictureError(file: file, reason: .empty).description.dropLast(": empty".count))
}
