import ImageLoading
import PeerPolicies
import ReplayTerminal
import SourceChecks
import TerminalPictures
import TraceFormats

extension Law {
    static let all: [Law] = [
        Law("PeerPolicies/GlidePreloader.swift", "something is preloaded") {
            _ = GlidePreloader(maxPreload: 0)
        },
        Law("PeerPolicies/RunLoopUnits.swift", "there is room for units") {
            _ = RunLoopUnits(limit: 0)
        },
        Law(
            "ReplayReport/Page.swift", "the page's template is one",
            never: "the template is a constant, which the tests render"),
        Law("ReplayTerminal/LivePicture.swift", "a picture that is shown has pixels") {
            _ = LivePicture(empty)
        },
        Law("ReplayTerminal/LivePictures.swift", "1 to 250 encodings are kept") {
            _ = LivePictures(capacity: 251)
        },
        Law(
            "TerminalPictures/HalfBlocks.swift",
            "a picture is fitted in cells of which there are some"
        ) { _ = HalfBlocks(dot, fitting: CellSize(columns: 0, lines: 1)) },
        Law(
            "TerminalPictures/KittyGraphics.swift",
            "a terminal knows a picture by a number that is not 0"
        ) { _ = KittyGraphics.delete(0) },
        Law(
            "TerminalPictures/KittyGraphics.swift", "a terminal shows pictures that have pixels"
        ) {
            let cells = CellSize(columns: 1, lines: 1)
            _ = KittyGraphics.transmit(empty, as: 1, in: cells)
        },
        Law(
            "TerminalPictures/KittyGraphics.swift", "a picture is shown in 1 to 297 cells a side"
        ) {
            let cells = CellSize(columns: 298, lines: 1)
            _ = KittyGraphics.transmit(dot, as: 1, in: cells)
        },
        Law(
            "TerminalPictures/KittyPlaceholder.swift",
            "a picture is shown in 1 to 297 cells a side"
        ) { _ = KittyPlaceholder.character(row: 297, column: 0, of: 1) },
        Law(
            "TerminalPictures/Picture+Averages.swift",
            "a picture with pixels is averaged to one with pixels"
        ) { _ = empty.averaged(to: PixelSize(width: 1, height: 1)) },
        Law(
            "TraceFormats/JSONCallbacks.swift", "a parser has its context",
            never: "yajl hands on the context that it was made with"),
        Law(
            "TraceFormats/TraceFile.swift", "the other dialects are of lines",
            never: "those that aren't are read in the other cases, as a test of each shows"),
        Law(
            "TraceFormats/TraceFileOptions.swift",
            "what describes a recording is positive and finite"
        ) { _ = TraceFileOptions(density: 0) },
    ]

    private static var empty: Picture { Picture(size: PixelSize(width: 0, height: 0), pixels: []) }
    private static var dot: Picture {
        Picture(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
    }
}
