/// What a library owes: one call, such as that of a job's end, and not two.
final class Promise {
    private let laws: Laws
    private(set) var isKept = false

    init(_ laws: Laws) {
        self.laws = laws
    }

    /// Notes the call.
    func keep() {
        laws.expect(!isKept, "what is called once is not called twice")
        isKept = true
    }
}
