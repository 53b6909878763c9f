/// An event loop or whatever else is measured, and in which workloads it takes part.
struct Contender {
    let name: String
    let program: String
    var mode: String?
    /// For whom its program speaks, if it measures several that take turns within it: where one
    /// takes a few milliseconds, programs would meet a different machine each.
    var ensemble: [String] = []
    let workloads: Set<Workload>

    /// All there are; in each round they take turns in this order.
    static let all = loopsAndLists + decoding

    /// The names by which it can be asked for.
    var names: [String] { [name] + ensemble }

    /// Those of all, each once.
    static var allNames: [String] {
        var seen: Set<String> = []
        return all.flatMap(\.names).filter { seen.insert($0).inserted }
    }

    private static let loopsAndLists: [Contender] = [
        Contender(
            name: "epoll", program: "bench-epoll", workloads: [.m1, .m2, .m3, .m5, .m6, .m7]),
        Contender(name: "heap", program: "bench-epoll", mode: "heap", workloads: [.m4]),
        lull("drive", loops),
        lull("adopt", [.m1, .m2, .m5, .m6, .m7]),
        lull("glib", guests),
        lull("sd-event", guests),
        lull("uv", guests),
        lull("fd", guests),
        lull("submit", [.m1]),
        Contender(
            name: "watching", program: "bench-lull", mode: "watched",
            ensemble: ["lull-plain", "lull-watched"], workloads: [.m1]),
        lullC("adopt"),
        Contender(name: "libev", program: "bench-libev", workloads: loops),
        Contender(name: "libuv", program: "bench-libuv", workloads: loops),
        Contender(name: "glib", program: "bench-glib", workloads: loops),
        Contender(name: "sd-event", program: "bench-sdevent", workloads: loops),
        libevent("zt", loops),
        libevent("drive", [.m1, .m2, .m6, .m7]),
        Contender(
            name: "nio-schedule", program: "bench-nio", mode: "schedule", workloads: queues),
        Contender(name: "lull-nio", program: "bench-nio", mode: "lull", workloads: queues),
        Contender(name: "dispatch", program: "bench-dispatch", mode: "main", workloads: queues),
        Contender(
            name: "dispatch-runloop", program: "bench-dispatch", mode: "runloop",
            workloads: queues),
        Contender(name: "array", program: "bench-list", mode: "array", workloads: lists),
        Contender(
            name: "list", program: "bench-list", mode: "list",
            workloads: lists.union([.r5, .r6])),
        Contender(name: "lull", program: "bench-replay", workloads: [.s1, .s2]),
    ]

    private static let loops: Set<Workload> = [.m1, .m2, .m3, .m4, .m5, .m6, .m7]
    private static let guests: Set<Workload> = [.m1, .m2, .m5, .m6, .m7]
    private static let lists: Set<Workload> = [.r1, .r2, .r3, .r4]
    private static let queues: Set<Workload> = [.m1, .m2, .m5, .m6, .m7]

    private static func lull(_ mode: String, _ workloads: Set<Workload>) -> Contender {
        Contender(
            name: "lull-" + mode, program: "bench-lull", mode: mode, workloads: workloads)
    }

    private static func lullC(_ mode: String) -> Contender {
        Contender(name: "lull-c-" + mode, program: "bench-lull-c", mode: mode, workloads: [.m1])
    }

    private static func libevent(_ mode: String, _ workloads: Set<Workload>) -> Contender {
        Contender(
            name: "libevent-" + mode, program: "bench-libevent", mode: mode, workloads: workloads)
    }
}
