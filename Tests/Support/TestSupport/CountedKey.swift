/// A key of a queue or a loader that is counted as long as somebody holds it.
public struct CountedKey: Hashable {
    /// The number by which keys are told apart.
    public let number: Int
    private let object: LiveObjects.Object

    /// A key that counts among the live objects.
    public init(_ number: Int, _ live: LiveObjects) {
        self.number = number
        object = live.make()
    }

    /// Keys of one number are equal.
    public static func == (lhs: CountedKey, rhs: CountedKey) -> Bool { lhs.number == rhs.number }

    /// Feeds the number to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
