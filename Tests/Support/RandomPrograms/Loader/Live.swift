/// A key that is counted as long as it's held.
import TestSupport

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
final class Value {
    let key: Int
    let version: Int
    private weak var program: LoaderProgram?
    private let object: LiveObjects.Object

    init(_ key: Int, version: Int, of program: LoaderProgram) {
        self.key = key
        self.version = version
        self.program = program
        object = program.live.values.make()
    }

    deinit { program?.react() }
}
