// Lull's list model beside a sorted array of prefix sums, the limit for a list that never changes:
//
//     bench-list MODE WORKLOAD
//
//     list    RowHeights
//     array   prefix sums in an array, searched by halves, and built anew for each change

import Glibc
import ScrollModel
import Workloads

setContender(CommandLine.arguments.dropFirst().first ?? "")
guard CommandLine.arguments.count == 3 else { exit(64) }
let rows = Rows()
switch (CommandLine.arguments[1], CommandLine.arguments[2]) {
case ("list", "R1"): try rows.lookupInList()
case ("array", "R1"): rows.lookupInArray()
case ("list", "R5"): try rows.playFrames()
case ("list", "R6"): try rows.playListFrames()
case ("list", "R2"): try rows.editList()
case ("array", "R2"): rows.editArray()
case ("list", "R3"): try rows.buildList()
case ("array", "R3"): rows.buildArray()
case ("list", "R4"): try rows.measureList()
case ("array", "R4"): rows.measureArray()
default: exit(64)
}
