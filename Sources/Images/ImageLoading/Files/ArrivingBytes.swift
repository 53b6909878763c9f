/// The bytes of a file in memory, which may still be arriving, from a server for example.
///
/// It's confined to one thread, together with the jobs that read it.
package final class ArrivingBytes {
    /// The final length, if it was announced.
    package let expected: Int?
    /// The bytes that have arrived.
    package private(set) var bytes: [UInt8] = []
    /// Whether no more bytes will arrive.
    package private(set) var isComplete = false

    /// Creates a file of which no bytes have arrived.
    package init(expected: Int? = nil) { self.expected = expected }

    /// Creates a file of which all bytes have arrived.
    init(all bytes: [UInt8]) {
        expected = bytes.count
        self.bytes = bytes
        isComplete = true
    }

    /// Appends the next bytes.
    package func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Marks the end: no more bytes will arrive.
    package func finish() { isComplete = true }
}
