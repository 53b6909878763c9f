/// What a library owes: one call, such as that of a job's end, and not two.
final class Promise {
    private let laws: Laws
    private(set) var isKept = false
    private var isOff = false

    init(_ laws: Laws) {
        self.laws = laws
    }

    /// Notes the call.
    func keep() {
        laws.expect(!isOff, "what was refused is not called")
        laws.expect(!isKept, "what is called once is not called twice")
        isKept = true
    }

    /// Notes that there will be no call.
    func callOff() {
        laws.expect(!isKept, "what was refused was not called")
        isOff = true
    }

    /// Whether nothing more is owed.
    var isSettled: Bool { isKept || isOff }
}
