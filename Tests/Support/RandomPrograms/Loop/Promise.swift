/// What a library owes: one call, such as that of a job's end, and not two.
final class Promise {
    private(set) var isKept = false
    private var isOff = false

    /// Notes the call.
    func keep() {
        precondition(!isOff, "what was refused is not called")
        precondition(!isKept, "what is called once is not called twice")
        isKept = true
    }

    /// Notes that there will be no call.
    func callOff() {
        precondition(!isKept, "what was refused was not called")
        isOff = true
    }

    /// Whether nothing more is owed.
    var isSettled: Bool { isKept || isOff }
}
