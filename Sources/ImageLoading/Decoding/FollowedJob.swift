/// A decode, and the work that follows on its picture, as one job in steps.
///
/// ```swift
/// let job = PictureJob(path: "a.jpg", fitting: box).then { PNGFile($0) }
/// let file = try job.finish()  // at once, or by steps in slices of a loop's lulls
/// ```
public final class FollowedJob<Value> {
    /// The result of a step.
    public enum Step {
        /// There is more to do.
        case more
        /// There is more to do when more bytes have arrived.
        case waiting
        /// There is more to do, but this much can be shown until it is done.
        case refined(Picture)
        /// The value is there.
        case done(Value)
    }

    /// The kind of work that follows on a picture.
    public typealias Work = any SteppedWork<Value, PictureError.Reason>

    /// The decode.
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

    /// Does the next small part of the work.
    ///
    /// - Returns: The value, or that there is more to do.
    /// - Throws: Why there will be none. That was the last step.
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

    /// Does all that is left of the work; bytes that are to arrive must have done so.
    ///
    /// - Returns: The value.
    /// - Throws: Why there is none.
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
    /// Adds the work that follows on the picture: scaling, encoding, storing.
    ///
    /// - Parameter next: Gives that work, not begun yet.
    /// - Returns: This decode and that work as one job.
    public func then<Value>(
        _ next:
            @escaping (Picture) throws(PictureError.Reason) -> any SteppedWork<
                Value, PictureError.Reason
            >
    ) -> FollowedJob<Value> {
        FollowedJob(self, next)
    }
}
