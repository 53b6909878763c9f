// SwiftNIO, which has no idle work; what comes nearest, and Lull as its guest:
//
//     bench-nio MODE WORKLOAD
//
// schedule  each job schedules the next for a microsecond later: the loop polls between
// lull      jobs of an idle queue of Lull's, on the same loop

import Glibc
import NIOCore
import NIOPosix
import Workloads

let arguments = CommandLine.arguments
guard arguments.count == 3, ["schedule", "lull"].contains(arguments[1]) else { exit(64) }
if arguments[1] == "lull" {
    setContender("lull-nio")
    let guest = Guest()
    switch arguments[2] {
    case "M1": for variant in TinyJobs.variants { try guest.tinyJobs(variant: variant) }
    case "M2": for variant in Foreground.variants { try guest.foreground(variant: variant) }
    case "M5": try guest.submissions()
    case "M6": try guest.quietSleep()
    case "M7": for variant in Frames.variants { try guest.frames(variant: variant) }
    default: exit(64)
    }
    exit(0)
}
setContender("nio-" + arguments[1])
let runner = Runner()

switch arguments[2] {
case "M1": for variant in TinyJobs.variants { try runner.tinyJobs(variant: variant) }
case "M2": for variant in Foreground.variants { try runner.foreground(variant: variant) }
case "M5": try runner.submissions()
case "M6": try runner.quietSleep()
case "M7": for variant in Frames.variants { try runner.frames(variant: variant) }
default: exit(64)
}
