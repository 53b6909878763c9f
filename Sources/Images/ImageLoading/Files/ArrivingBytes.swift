/// The bytes of a file that are still arriving, from a server for example.
///
/// ```swift
/// let bytes = ArrivingBytes(expected: 120_000)
/// let job = PictureJob(arriving: bytes, named: "a.jpg", fitting: targetSize)
/// bytes.append([0xFF, 0xD8])  // as they arrive; then the job has steps to do
/// bytes.finish()              // whether or not all have arrived
/// ```
///
/// It's confined to one thread, together with the jobs that read it.
public final class ArrivingBytes {
    /// The final length, if it was announced.
    public let expected: Int?
    /// The bytes that have arrived.
    public private(set) var bytes: [UInt8] = []
    /// Whether no more bytes will arrive.
    public private(set) var isComplete = false

    /// Creates a file of which no bytes have arrived.
    public init(expected: Int? = nil) { self.expected = expected }

    /// Creates a file of which all bytes have arrived.
    init(all bytes: [UInt8]) {
        expected = bytes.count
        self.bytes = bytes
        isComplete = true
    }

    /// Appends the next bytes.
    public func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Marks the end: no more bytes will arrive.
    public func finish() { isComplete = true }
}
