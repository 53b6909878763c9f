public import DeferredLoading
public import IdleLoop

/// The limits of a picture loader: of the work at once, and of what it keeps.
public struct PictureLoaderConfiguration: Sendable {
    /// The queue of what waits for lulls, in slices of 2 ms: 30 at most, as older wishes lose their
    /// worth.
    ///
    /// Its weight is 15, so that storing pictures, which has a queue of weight 1, takes one lull in
    /// sixteen from what rows wait for.
    public var queue: QueueConfiguration
    /// The number of pictures that are decoded off the loop at once; with zero all is decoded on the
    /// loop, in slices.
    public var workers = 1
    /// The limits of what is kept, and the tries of what has failed.
    ///
    /// A `byteLimit` that is nil is ``usualBytes``.
    public var loading: LoaderConfiguration
    /// The most that a file may cost.
    public var limits = PictureLimits()
    /// The kinds of pictures that are read.
    public var decoders = PictureDecoders.standard
    /// The places where memory pressure is looked for; nil if it isn't.
    public var pressure: MemoryPressureConfiguration? = .init()
    /// The time after memory pressure in which only what is on screen, or about to be, is loaded.
    public var savingTime: Duration = .seconds(10)
    /// Whether it's found out at the start, in 2 ms, how fast this machine decodes.
    public var calibrates = true

    /// The defaults.
    public init() {
        queue = QueueConfiguration()
        queue.name = "pictures"
        queue.limit = 30
        queue.weight = 15
        loading = LoaderConfiguration()
        loading.capacity = 4096
    }

    /// The bytes that are kept unless said: 32 MB, or a twentieth of what the machine has and the
    /// process's control group may have, if that is less.
    public static var usualBytes: Int { usualBytes(machineMemory(), ControlGroup().memoryLimit) }

    static func usualBytes(_ machine: Int, _ group: Int?) -> Int {
        max(1, min(32 << 20, min(machine, group ?? .max) / 20))
    }
}
