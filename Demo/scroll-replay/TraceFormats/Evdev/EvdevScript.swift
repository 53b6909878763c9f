import LullTesting

/// A trace as the kernel events of one device that is touch panel, wheel and keyboard.
///
/// A unit of the panel is a tenth of a px: it has 63 units a mm, and 160 px an inch.
struct EvdevScript {
    /// The units of the panel in a mm.
    static let resolution: Int64 = 63

    /// The distance that a notch of the wheel scrolls, in px.
    static let notch = 120.0

    let trace: Trace
    let axis: EvdevAxis

    init(_ trace: Trace) {
        self.trace = trace
        var bottom = trace.viewportHeight ?? 800
        for event in trace.events {
            switch event.input {
            case .down(let y), .move(let y), .up(let y), .cancel(let y):
                bottom = max(bottom, y)
            case .wheel, .key: break
            }
        }
        axis = EvdevAxis(
            minimum: 0, maximum: Int64(Self.units(bottom)), resolution: Self.resolution)
    }

    /// Returns a position in units of the panel.
    static func units(_ y: Double) -> Int32 {
        let units = (y / EvdevAxis.pixelsPerMillimetre * Double(resolution)).rounded()
        return Int32(min(max(units, -2e9), 2e9))
    }

    /// Calls `body` with each event in order, beginning with an empty frame at time zero.
    func forEach(_ body: (EvdevEvent) throws -> Void) rethrows {
        try body(EvdevEvent(time: 0, type: Evdev.syn, code: Evdev.report, value: 0))
        var hand = Hand()
        for event in trace.events {
            let time = (event.time + 500) / 1000 * 1000
            let frame = hand.frame(of: event.input)
            guard !frame.isEmpty else { continue }
            for (type, code, value) in frame {
                try body(EvdevEvent(time: time, type: type, code: code, value: value))
            }
            try body(EvdevEvent(time: time, type: Evdev.syn, code: Evdev.report, value: 0))
        }
    }

    /// The last reported state, so that only changes are reported.
    private struct Hand {
        typealias Change = (type: Int, code: Int, value: Int32)

        private var y: Int32?
        private var x: Int32 = 2060
        private var identity: Int32 = 0
        private var isDown = false
        private var notches = 0.0
        private var told: Int64 = 0
        private var finest: Int64 = 0

        mutating func frame(of input: Trace.Input) -> [Change] {
            switch input {
            case .down(let y): return down(y)
            case .move(let y): return isDown ? place(y, mustMove: true) : []
            case .up(let y): return up(y)
            case .cancel(let y):
                guard isDown else { return [] }
                return [(Evdev.abs, Evdev.toolType, Evdev.palm)] + up(y)
            case .wheel(let dy): return wheel(dy)
            case .key: return [(Evdev.key, Evdev.pageDown, 1), (Evdev.key, Evdev.pageDown, 0)]
            }
        }

        private mutating func down(_ y: Double) -> [Change] {
            var changes: [Change] = isDown ? up(y) + [(Evdev.syn, Evdev.report, 0)] : []
            isDown = true
            identity += 1
            changes += [
                (Evdev.abs, Evdev.trackingID, identity), (Evdev.abs, Evdev.toolType, 0),
                (Evdev.abs, Evdev.positionX, x),
            ]
            changes += place(y, mustMove: false) + [(Evdev.key, Evdev.touch, 1)]
            return changes
        }

        private mutating func up(_ y: Double) -> [Change] {
            guard isDown else { return [] }
            isDown = false
            return place(y, mustMove: false)
                + [(Evdev.abs, Evdev.trackingID, -1), (Evdev.key, Evdev.touch, 0)]
        }

        private mutating func place(_ y: Double, mustMove: Bool) -> [Change] {
            let units = EvdevScript.units(y)
            if units != self.y {
                self.y = units
                return [(Evdev.abs, Evdev.positionY, units)]
            }
            guard mustMove else { return [] }
            // The kernel never reports the same value twice: a finger that stays in its row moves
            // in its column.
            x = x == 2060 ? 2061 : 2060
            return [(Evdev.abs, Evdev.positionX, x)]
        }

        private mutating func wheel(_ dy: Double) -> [Change] {
            notches -= dy / EvdevScript.notch
            let fine = Int64((min(max(notches, -1e7), 1e7) * 120).rounded())
            let whole = fine / 120
            defer {
                finest = fine
                told = whole
            }
            guard fine != finest else { return [] }
            let changes: [Change] = [
                (Evdev.rel, Evdev.wheelHighResolution, Int32(clamping: fine - finest))
            ]
            return whole == told
                ? changes : [(Evdev.rel, Evdev.wheel, Int32(clamping: whole - told))] + changes
        }
    }
}
