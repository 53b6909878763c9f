public import DeferredLoading
public import IdleLoop

/// The limits of a picture loader: of concurrent work, and of what it keeps.
public struct PictureLoaderConfiguration: Sendable {
    /// The queue of jobs that wait for lulls: slices of 2 ms, and at most 30 jobs, because older
    /// requests lose their value.
    ///
    /// Its weight is 15. Storing pictures has a queue of weight 1, and so takes one lull in sixteen
    /// from the jobs that rows wait for.
    public var queue: QueueConfiguration
    /// The number of pictures that are decoded off the loop at the same time; with zero, all are
    /// decoded on the loop, in slices.
    public var workers = 1
    /// The limits of the memory cache, and the retries of failed loads.
    ///
    /// If its `byteLimit` is nil, ``usualBytes`` applies.
    public var loading: LoaderConfiguration
    /// The limits on the cost of decoding a file.
    public var limits = PictureLimits()
    /// The decoders of the supported formats.
    public var decoders = PictureDecoders.standard
    /// The configuration of the memory pressure listener; nil for none.
    public var pressure: MemoryPressureConfiguration? = .init()
    /// The time after memory pressure during which only what is on screen, or about to be, is
    /// loaded.
    public var savingTime: Duration = .seconds(10)
    /// Whether the decoding speed of this machine is measured at the start, which takes 2 ms.
    public var calibrates = true

    /// Creates a configuration with the default limits.
    public init() {
        queue = QueueConfiguration()
        queue.name = "pictures"
        queue.limit = 30
        queue.weight = 15
        loading = LoaderConfiguration()
        loading.capacity = 4096
    }

    /// The default memory limit in bytes: 32 MB, or a twentieth of the memory that the machine has
    /// and the process's control group allows, if that is less.
    public static var usualBytes: Int { usualBytes(machineMemory(), ControlGroup().memoryLimit) }

    static func usualBytes(_ machine: Int, _ group: Int?) -> Int {
        max(1, min(32 << 20, min(machine, group ?? .max) / 20))
    }
}
