internal import IdleLoop

extension ExpectedValue {
    /// When a row comes into view and for how long, when it could be there, and what that gains; or
    /// why it is left alone.
    package func explanation(ofRow row: Int) -> String? {
        if let load = loadConsidered(ofRow: row) { return Self.words(for: load) }
        return speculation(aboutRow: row)
    }

    private static func words(for load: ExpectedLoad) -> String {
        let seen =
            (load.entry <= 0 ? "in view" : "in view in \(seconds(load.entry))")
            + (load.time.isFinite ? " for \(seconds(load.time))" : " to stay")
            + ", ready in \(seconds(load.ready))"
        switch load.verdict {
        case .wanted:
            return "\(seen): \(seconds(load.gain)) gained for \(milliseconds(load.cost))"
        case .worthless:
            return "\(seen): only \(seconds(load.gain)) gained for \(milliseconds(load.cost))"
        case .late:
            return "\(seen): gone before it could be there"
        }
    }

    static func seconds(_ value: Double) -> String { "\(rounded(value, to: 100)) s" }

    static func milliseconds(_ value: Double) -> String { "\(rounded(value * 1000, to: 10)) ms" }

    private static func rounded(_ value: Double, to parts: Double) -> String {
        let result = (value * parts).rounded() / parts
        return result == result.rounded() && abs(result) < 1e15
            ? String(Int64(result)) : String(result)
    }
}
