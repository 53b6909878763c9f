import ImageLoading
import PeerPolicies
import SourceChecks
import TerminalPictures

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
        Law(
            "TerminalPictures/HalfBlocks.swift",
            "a picture is fitted in cells of which there are some"
        ) { _ = HalfBlocks(dot, fitting: CellSize(columns: 0, lines: 1)) },
        Law(
            "TerminalPictures/Picture+Averages.swift",
            "a picture with pixels is averaged to one with pixels"
        ) { _ = empty.averaged(to: PixelSize(width: 1, height: 1)) },
    ]

    private static var empty: Picture { Picture(size: PixelSize(width: 0, height: 0), pixels: []) }
    private static var dot: Picture {
        Picture(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
    }
}
