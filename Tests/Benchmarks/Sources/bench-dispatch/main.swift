// Dispatch's main queue, on which each job submits the next; no poll comes between:
//
//     bench-dispatch MODE WORKLOAD
//
// main     the queue is served by dispatchMain
// runloop  the queue is served by the main run loop

import Dispatch
import Foundation
import Workloads

let arguments = CommandLine.arguments
guard arguments.count == 3, ["main", "runloop"].contains(arguments[1]) else { exit(64) }
let servesRunLoop = arguments[1] == "runloop"
let workload = arguments[2]
setContender(servesRunLoop ? "dispatch-runloop" : "dispatch")

// The main thread never comes back, so another one goes through the variants.
Thread.detachNewThread {
    switch workload {
    case "M1":
        // Under the run loop a job takes many times as long.
        let count = servesRunLoop ? 100_000 : nil
        for variant in TinyJobs.variants { runTinyJobs(variant: variant, count: count) }
    case "M2": for variant in Foreground.variants { runForeground(variant: variant) }
    case "M5": runSubmissions()
    case "M6": runQuietSleep()
    case "M7": for variant in Frames.variants { runFrames(variant: variant) }
    default: exit(64)
    }
    exit(0)
}

if servesRunLoop {
    // A run loop without a timer returns at once.
    RunLoop.main.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
    while true { RunLoop.main.run() }
} else {
    dispatchMain()
}
