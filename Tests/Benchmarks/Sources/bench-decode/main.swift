// Picture files to thumbnails: Lull beside the libraries it stands on, and others.
//
//     bench-decode all WORKLOAD           D1 to D6, D8, D9: every decoder in one process, in turn
//     bench-decode memory:DECODER D1      the memory that one decoder takes, in a fresh process
//     bench-decode LIST D7                frames beside a list being loaded:
//
//         slices             by a loader, in slices of lulls; what can't be sliced, on a worker
//         helper             by a loader, in another process
//         whole-jobs         whole pictures as jobs of lulls
//         whole-in-frames    a whole picture in each frame
//         no-pictures        nothing is loaded: how punctual the machine is
//
// Exit status 69 if LULL_PICTURE_HELPER doesn't name the helper.

import Foundation
import Glibc
import Workloads

guard CommandLine.arguments.count == 3 else { exit(64) }
do {
    try measure(CommandLine.arguments[1], CommandLine.arguments[2])
} catch {
    FileHandle.standardError.write(Data("bench-decode: \(error)\n".utf8))
    exit(1)
}

func measure(_ mode: String, _ workload: String) throws {
    let pictures = TestPictures()
    switch (mode, workload) {
    case ("all", "D1"):
        try Contest("D1", .jpeg).run(pictures.jpeg)
    case ("all", "D2"):
        try Contest("D2", .progressive).run(pictures.progressive)
    case ("all", "D3"):
        try Contest("D3", .withThumbnail, targetSize: 160).run(pictures.withThumbnail)
    case ("all", "D4"):
        try Contest("D4", .png).run(pictures.png)
    case ("all", "D5"):
        try Contest("D5", .webP).run(pictures.webP)
        try Contest("D5", .gif).run(pictures.gif)
    case ("all", "D6"):
        for picture in pictures.all { try Slices(picture).measure() }
    case ("all", "D8"):
        try Contest("D8", .heic).run(pictures.heic)
        try Contest("D8", .avif).run(pictures.avif)
    case ("all", "D9"): try Isolation().measure(pictures.all)
    case (let mode, "D1") where mode.hasPrefix("memory:"):
        try measureMemory(of: String(mode.dropFirst("memory:".count)), pictures.jpeg[0])
    case (let mode, "D7"):
        guard let way = ListLoading.Way(rawValue: mode) else { exit(64) }
        try ListLoading(way, pictures).run()
    default: exit(64)
    }
}
