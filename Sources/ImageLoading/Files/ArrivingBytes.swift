/// The bytes of a file that are still arriving, from a server say.
///
/// ```swift
/// let bytes = ArrivingBytes(expected: 120_000)
/// let job = PictureJob(arriving: bytes, named: "a.jpg", fitting: box)
/// bytes.append([0xFF, 0xD8])  // as they come; then the job has steps to do
/// bytes.finish()              // whether or not all have come
/// ```
///
/// It belongs to one thread, with the jobs that read it.
public final class ArrivingBytes {
    /// The length that all will have, as far as anybody has said.
    public let expected: Int?
    /// Those that have arrived.
    public private(set) var bytes: [UInt8] = []
    /// Whether no more will come.
    public private(set) var isComplete = false

    /// No bytes yet.
    public init(expected: Int? = nil) { self.expected = expected }

    /// Adds the next bytes.
    public func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Ends the bytes: what hasn't arrived won't come.
    public func finish() { isComplete = true }
}
