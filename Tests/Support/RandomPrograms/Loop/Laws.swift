/// The laws of a random program, of which the first that doesn't hold is reported.
final class Laws {
    private let report: (String) -> Void
    private(set) var areBroken = false

    init(report: @escaping (String) -> Void) {
        self.report = report
    }

    /// Reports a law unless it holds.
    func expect(_ holds: Bool, _ law: @autoclosure () -> String) {
        guard !holds, !areBroken else { return }
        areBroken = true
        report(law())
    }
}
