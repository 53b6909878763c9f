import Testing

/// A law whose breach ends the process: where it stands, and what shows that no order of calls
/// breaks it.
struct Law: Sendable {
    enum Proof: Sendable {
        /// An argument that makes no sense breaks it.
        case call(@Sendable () async throws -> Void)
        /// Nothing breaks it, for this reason.
        case never(String)
    }

    /// The file's path, from `Sources`.
    let file: String
    let text: String
    let proof: Proof

    /// A law that an argument breaks, which makes no sense.
    init(_ file: String, _ text: String, _ call: @escaping @Sendable () async throws -> Void) {
        (self.file, self.text, proof) = (file, text, .call(call))
    }

    /// A law of the code's own, which no caller can break.
    init(_ file: String, _ text: String, never reason: String) {
        (self.file, self.text, proof) = (file, text, .never(reason))
    }

    var isBreakable: Bool {
        if case .call = proof { true } else { false }
    }

    static let all = scrollModel + replays + loading + idleLoop

    /// Those that can be broken.
    static let breakable = all.indices.filter { all[$0].isBreakable }
}

struct LawTests {
    @Test func `each place in Sources that ends the process is in the list of laws`() throws {
        let files = Project.files(in: ["Sources"], ending: ".swift")
        let traps = try Dictionary(grouping: files.flatMap(Trap.all(in:)), by: \.self)
        let laws = Dictionary(grouping: Law.all) { Trap(file: $0.file, law: $0.text) }
        for trap in Set(traps.keys).union(laws.keys) {
            let (places, listed) = (traps[trap]?.count ?? 0, laws[trap] ?? [])
            // A call breaks it in one place; a reason holds for all.
            let known = listed.first?.isBreakable == false ? min(1, places) : places
            #expect(listed.count == known, "\(trap.file): \(trap.law)")
        }
    }

    @Test(arguments: Law.breakable) func `an argument that makes no sense breaks its law`(
        index: Int
    ) async throws {
        let law = Law.all[index]
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [index = index as Int] in
            if case .call(let call) = Law.all[index].proof { try await call() }
        }
        let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let said = error.split(separator: "\n").first { $0.contains(".swift:") } ?? "nothing"
        let path = law.file.split(separator: "/")
        #expect(said.hasPrefix("\(path[0])/\(path[path.count - 1]):"), "\(law.file)")
        #expect(said.hasSuffix(": \(law.text)"))
    }
}
