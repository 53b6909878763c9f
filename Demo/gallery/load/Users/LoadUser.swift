internal import IdleLoop

/// A simulated user of a load test.
protocol LoadUser: AnyObject {
    /// Opens the page.
    func open()

    /// Closes the page.
    func close()

    /// Returns the time for which it has waited for the rows in view; nil if it doesn't wait.
    func wait(at now: Instant) -> Duration?
}
