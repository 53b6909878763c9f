import DeferredLoading
import LullTesting
import ScrollModel
import SourceChecks

extension Law {
    static let testing: [Law] = [
        Law("LullTesting/OffsetPath.swift", "a slop is finite, zero or more") {
            _ = OffsetPath(of: trace, in: try list, scroller: Scroller(.linear), slop: -1)
        },
        Law("LullTesting/Replay.swift", "1 to 1000 frames a second") {
            var options = ReplayOptions()
            options.hz = 0
            _ = try Replay(of: trace, in: try list, policy: LandingRows(), options: options)
        },
        Law("LullTesting/Replay.swift", "costs aren't negative") {
            var options = ReplayOptions()
            options.latency = .seconds(-1)
            _ = try Replay(of: trace, in: try list, policy: LandingRows(), options: options)
        },
        Law("LullTesting/Trace.swift", "a trace's times never go back") {
            _ = Trace(
                name: "", events: [],
                samples: [
                    .init(time: .zero + .seconds(1), offset: 0), .init(time: .zero, offset: 0),
                ])
        },
        Law("LullTesting/TraceBuilder.swift", "a distance is finite") {
            var hand = TraceBuilder("")
            hand.drag(by: .nan)
        },
        Law("LullTesting/TraceBuilder.swift", "a notch has a way and a time") {
            var hand = TraceBuilder("")
            hand.wheel(notches: 1, of: .infinity)
        },
        Law("LullTesting/TraceBuilder.swift", "a pause isn't negative") {
            var hand = TraceBuilder("")
            hand.pause(for: .seconds(-1))
        },
        Law("LullTesting/TraceBuilder.swift", "a stroke takes some time") {
            var hand = TraceBuilder("")
            hand.drag(by: 1, over: .zero)
        },
        Law("LullTesting/TraceBuilder.swift", "a velocity is finite") {
            var hand = TraceBuilder("")
            hand.fling(at: .nan)
        },
    ]

    private static var list: Viewport {
        get throws { Viewport(rows: try RowHeights([9]), height: 5) }
    }

    private static var trace: Trace { Trace(name: "", events: [], samples: []) }
}
