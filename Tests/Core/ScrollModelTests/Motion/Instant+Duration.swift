import ScrollModel

extension Instant {
    /// Goes on by so much.
    static func += (moment: inout Instant, duration: Duration) {
        moment = moment + duration
    }
}
