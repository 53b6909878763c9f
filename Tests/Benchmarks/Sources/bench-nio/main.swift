// SwiftNIO, which has no idle work; what comes nearest:
//
//     bench-nio MODE WORKLOAD
//
// execute   each job submits the next by `execute`: no poll comes between
// schedule  each job schedules the next for a microsecond later: the loop polls between

import Glibc
import NIOCore
import NIOPosix
import Workloads

let arguments = CommandLine.arguments
guard arguments.count == 3, ["execute", "schedule"].contains(arguments[1]) else { exit(64) }
setContender("nio-" + arguments[1])
let runner = Runner(polls: arguments[1] == "schedule")

switch arguments[2] {
case "M1": for variant in TinyJobs.variants { try runner.tinyJobs(variant: variant) }
case "M2": for variant in Foreground.variants { try runner.foreground(variant: variant) }
case "M5": try runner.submissions()
case "M6": try runner.quietSleep()
case "M7": for variant in Frames.variants { try runner.frames(variant: variant) }
default: exit(64)
}
