internal import DeferredLoading
import TestSupport

/// A key that is counted as long as it's held.
typealias Key = CountedKey

/// What a program gave away and somebody still holds, by what it was given for.
final class Live {
    /// Held by values and loads: a loader that is closed or gone holds none.
    let values = LiveObjects()
    /// Held by keys.
    let keys = LiveObjects()
    /// Held by callbacks, and by what starts operations.
    let callbacks = LiveObjects()
    /// Operations, which a program may hold too, to end them later.
    let operations = LiveObjects()
}

/// A value that knows what it was made of, and acts when it's let go of.
///
/// On virtual time lanes are simulated, and everything is on one thread.
final class Value: Sendable {
    let key: Int
    let version: Int
    /// Whether it's no preview.
    let isWhole: Bool
    // All is on one thread.
    private nonisolated(unsafe) weak var program: LoaderProgram?
    private nonisolated(unsafe) let object: LiveObjects.Object

    init(_ key: Int, version: Int, isWhole: Bool = true, of program: LoaderProgram) {
        self.key = key
        self.version = version
        self.isWhole = isWhole
        unsafe self.program = program
        unsafe object = program.live.values.make()
    }

    deinit { unsafe program?.react() }
}

/// What there is to show of a key, in words.
func words(_ state: LoadState<Value>) -> String {
    switch state {
    case .refined(let value, _): "refined \(value.key), \(value.version)"
    case .loaded(let value): "loaded \(value.key), \(value.version)"
    case .failed(_, let next): next == nil ? "failed" : "failed for now"
    case .placeholder, .queued, .fetching, .loading: "nothing"
    }
}
