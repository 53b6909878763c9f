// Lull, by its idle queue, driving and adopted:
//
//     bench-lull MODE WORKLOAD
//
//     drive   the loop runs itself; idle work by an idle queue
//     adopt   on the base of a host with one priority, which calls event_base_dispatch
//     glib, sd-event, uv, fd  as a guest of another library's loop, or of one that polls

// The workload "pool" is M7 with a thread for each processor, at normal priority, in place of the queue.

import Glibc
import IdleLoop
import Workloads

setContender("lull-" + (CommandLine.arguments.dropFirst().first ?? ""))
guard CommandLine.arguments.count == 3, let mode = Mode(rawValue: CommandLine.arguments[1]) else {
    exit(64)
}
let stage = try Stage(mode)
switch CommandLine.arguments[2] {
case "M1":
    for variant in TinyJobs.variants {
        let jobs = TinyJobs(variant: variant)
        try stage.tinyJobs(jobs)
        jobs.report()
    }
case "M2": for variant in Foreground.variants { try foreground(Foreground(variant: variant), mode) }
case "M3": for variant in Chain.variants { try chain(Chain(variant: variant)) }
case "M4": try timers(RandomTimers())
case "M5": try stage.submissions(Submissions())
case "M6": try stage.sleep(QuietSleep())
case "M7": for variant in Frames.variants { try frames(Frames(variant: variant), mode) }
case "pool":
    setContender("pool-beside-" + mode.rawValue)
    for variant in Frames.variants { try framesBesidePool(Frames(variant: variant), mode) }
default: exit(64)
}
