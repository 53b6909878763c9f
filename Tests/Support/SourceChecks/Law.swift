/// A law whose breach ends the process: where it stands, and what shows that no order of calls
/// breaks it.
public struct Law: Sendable {
    /// What shows it.
    public enum Proof: Sendable {
        /// An argument that makes no sense breaks it.
        case call(@Sendable () async throws -> Void)
        /// Nothing breaks it, for this reason.
        case never(String)
    }

    /// The module and the name of the file, as a trap prints them.
    public let file: String
    /// The law.
    public let text: String
    /// What shows it.
    public let proof: Proof

    /// A law that an argument breaks, which makes no sense.
    public init(
        _ file: String, _ text: String, _ call: @escaping @Sendable () async throws -> Void
    ) {
        (self.file, self.text, proof) = (file, text, .call(call))
    }

    /// A law of the code's own, which no caller can break.
    public init(_ file: String, _ text: String, never reason: String) {
        (self.file, self.text, proof) = (file, text, .never(reason))
    }

    /// Whether a call can break it.
    public var isBreakable: Bool {
        if case .call = proof { true } else { false }
    }

    /// Breaks the law, which ends the process.
    public func breakIt() async throws {
        if case .call(let call) = proof { try await call() }
    }

    /// Whether these words of a process are how the law ends one.
    public func isSaid(in error: [UInt8]) -> Bool {
        String(decoding: error, as: UTF8.self).split(separator: "\n")
            .first { $0.contains(".swift:") }
            .map { $0.hasPrefix("\(file):") && $0.hasSuffix(": \(text)") } ?? false
    }

    /// Returns the traps in the folders of modules that aren't among these laws as often as they stand
    /// there, and the laws that no trap states.
    public static func differences(
        between laws: [Law], and modules: [String]
    ) throws -> Set<Trap> {
        let traps = try Dictionary(grouping: modules.flatMap(Trap.all(in:)), by: \.self)
        let laws = Dictionary(grouping: laws) { Trap(file: $0.file, law: $0.text) }
        return Set(traps.keys).union(laws.keys).filter { trap in
            let (places, listed) = (traps[trap]?.count ?? 0, laws[trap] ?? [])
            // A call breaks it in one place; a reason holds for all.
            let known = listed.first?.isBreakable == false ? min(1, places) : places
            return listed.count != known
        }
    }
}
