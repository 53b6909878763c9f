internal import ImageLoading

/// The reason why there is no picture, as a text for people and a status for browsers.
struct PictureFailure {
    /// The reason in a few words.
    let text: String
    /// The status of the answer.
    let status: Int

    init(_ error: any Error) {
        switch (error as? PictureError)?.reason {
        case .missing?: (text, status) = ("it's gone", 404)
        case .replaced?: (text, status) = ("it's another now", 404)
        case let reason?: (text, status) = (reason.summary, reason.isTransient ? 503 : 422)
        case nil: (text, status) = ("it takes too long", 503)
        }
    }
}

extension PictureError.Reason {
    /// The reason in a few words.
    var summary: String {
        switch self {
        case .cannotOpen, .cannotRead: "it can't be read"
        case .notARegularFile: "it's not a file"
        case .empty: "its file is empty"
        case .truncated: "its file breaks off"
        case .unsupported: "it's of a kind that isn't known"
        case .corrupt: "its file is damaged"
        case .tooLarge, .tooSlow: "it's too large"
        case .outOfMemory: "there's no memory for it"
        case .changedWhileRead, .replaced: "it's being changed"
        }
    }
}
