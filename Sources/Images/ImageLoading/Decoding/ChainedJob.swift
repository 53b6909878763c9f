/// A job that decodes a picture and then processes it, in steps.
///
/// ```swift
/// let job = PictureJob(path: "a.jpg", fitting: targetSize).then { PNGFile($0) }
/// let file = try job.finish()  // at once, or by steps in slices of a loop's lulls
/// ```
public final class ChainedJob<Value> {
    /// The result of a step.
    public enum Step {
        /// More steps are needed.
        case more
        /// More steps are needed, once more bytes have arrived.
        case waiting
        /// More steps are needed; this preview can be shown meanwhile.
        case refined(Picture)
        /// The finished value.
        case done(Value)
    }

    /// The work that processes the picture.
    public typealias Work = any SteppedWork<Value, PictureError.Reason>

    /// The decoding job.
    public let job: PictureJob
    /// The picture, once it's decoded.
    public private(set) var picture: Picture?
    private let next: (Picture) throws(PictureError.Reason) -> Work
    private var work: Work?

    init(
        _ job: PictureJob, _ next: @escaping (Picture) throws(PictureError.Reason) -> Work
    ) {
        self.job = job
        self.next = next
    }

    /// Performs the next small part of the work.
    ///
    /// - Returns: The value, or that more steps are needed.
    /// - Throws: The reason why there is no value. That was the last step.
    public func step() throws(PictureError) -> Step {
        if picture == nil {
            switch try job.step() {
            case .more: return .more
            case .waiting: return .waiting
            case .refined(let preview): return .refined(preview)
            case .done(let picture): self.picture = picture
            }
        }
        do throws(PictureError.Reason) {
            return try follow()
        } catch {
            throw PictureError(file: job.name, reason: error)
        }
    }

    /// Performs all remaining work; all bytes must have arrived.
    ///
    /// - Returns: The value.
    /// - Throws: The reason why there is no value.
    public func finish() throws(PictureError) -> Value {
        if picture == nil { picture = try job.decode() }
        while true {
            if case .done(let value) = try step() { return value }
        }
    }

    private func follow() throws(PictureError.Reason) -> Step {
        guard let work else {
            work = try picture.map(next)
            return .more
        }
        return try work.advance().map { .done($0) } ?? .more
    }
}

extension PictureJob {
    /// Adds work that processes the decoded picture: scaling, encoding, storing.
    ///
    /// - Parameter next: Returns that work, not yet started.
    /// - Returns: A job that does both.
    public func then<Value>(
        _ next:
            @escaping (Picture) throws(PictureError.Reason) -> any SteppedWork<
                Value, PictureError.Reason
            >
    ) -> ChainedJob<Value> {
        ChainedJob(self, next)
    }
}
