import Foundation
import LullTesting
import ScrollModel

/// A recorded scroll in a list, of a kind of gesture.
struct Recording: Sendable {
    let kind: Kind
    let trace: Trace
    let list: Viewport
    var hz = 60

    /// A kind of gesture.
    enum Kind: String, CaseIterable, Sendable {
        /// One fling of any speed, or a few far apart.
        case singles
        /// Flings that follow each other quickly, also against each other, and reading between.
        case trains
        /// Strokes of an unsteady finger, with and without a fling.
        case strokes
        /// A wheel of 120 px a notch, in bursts.
        case wheels
        /// A wheel of 24 px a notch, as terminals and small touchpads send it.
        case smallNotches
        /// A wheel whose notches a browser animates.
        case smoothWheels
        /// Page keys, animated.
        case keys
        /// The recordings that are shipped.
        case shipped
        /// Jumps of the program, and a look around after each.
        case jumps
    }

    /// The recordings by which constants may be searched for, and those that no search may use: two thirds
    /// and one.
    static var search: [Recording] { all(0..<24) }
    static var heldOut: [Recording] { all(100..<112) }

    private static func all(_ numbers: Range<Int>) -> [Recording] {
        Kind.allCases.filter { $0 != .shipped }.flatMap { kind in
            numbers.map { make(kind, number: $0) }
        }
    }

    private static func make(_ kind: Kind, number: Int) -> Recording {
        let place = Kind.allCases.firstIndex(of: kind) ?? 0
        var hand = Hand(seed: UInt64(1_000 * (place + 1) + number))
        // Lists of lines, of equal rows, of texts, and of pictures.
        let rows: RowHeights =
            switch number % 6 {
            case 0: rowsBetween(24, 24, &hand)
            case 1: rowsBetween(48, 320, &hand)
            case 2: rowsBetween(60, 140, &hand)
            case 3: equalRows(hand.between(40, 90))
            case 4: rowsBetween(32, 64, &hand)
            default: rowsBetween(150, 420, &hand)
            }
        let height = [640.0, 800, 915, 1_080][number / 6 % 4]
        var list = Viewport(rows: rows, height: height)
        if number % 5 != 0 { list.scroll(to: hand.between(0.1, 0.8) * list.maximumOffset) }
        hand.play(kind, in: list)
        return Recording(
            kind: kind,
            trace: Trace(
                name: "\(kind.rawValue)-\(number)", events: hand.events, samples: hand.samples),
            list: list)
    }

    private static func equalRows(_ height: Double) -> RowHeights {
        make([Double](repeating: height.rounded(), count: 5_000))
    }

    private static func rowsBetween(_ least: Double, _ most: Double, _ hand: inout Hand)
        -> RowHeights
    {
        make((0..<5_000).map { _ in hand.between(least, most).rounded() })
    }

    private static func make(_ heights: [Double]) -> RowHeights {
        guard let rows = try? RowHeights(heights) else { preconditionFailure("heights are sound") }
        return rows
    }
}

/// A hand that scrolls, with the unsteadiness of one.
struct Hand {
    private(set) var events: [Trace.Event] = []
    /// The offsets of what is animated.
    private(set) var samples: [Trace.Sample] = []
    private var time = 0.1
    private var numbers: SeededGenerator

    init(seed: UInt64) {
        numbers = SeededGenerator(seed: seed)
    }

    mutating func between(_ least: Double, _ most: Double) -> Double {
        Double.random(in: least...most, using: &numbers)
    }

    private mutating func chance(_ share: Double) -> Bool { between(0, 1) < share }

    /// A number whose logarithm is spread evenly.
    private mutating func scaled(_ least: Double, _ most: Double) -> Double {
        exp(between(log(least), log(most)))
    }

    private mutating func pause(_ least: Double, _ most: Double) { time += scaled(least, most) }

    private mutating func add(_ input: Trace.Input) {
        events.append(.init(time: .zero + .seconds(time), input))
    }

    mutating func play(_ kind: Recording.Kind, in list: Viewport) {
        switch kind {
        case .singles:
            for _ in 0..<Int(between(1, 3.99)) {
                stroke(speed: scaled(800, 12_000) * (chance(0.8) ? 1 : -1), isFling: true)
                pause(2.5, 5)
            }
        case .trains:
            let isDown = chance(0.75)
            for _ in 0..<Int(between(4, 11)) {
                let isBack = chance(0.18)
                stroke(speed: scaled(1_500, 9_000) * (isDown != isBack ? 1 : -1), isFling: true)
                if chance(0.3) { pause(0.8, 3) } else { pause(0.08, 0.6) }
                if chance(0.12) { tap() }
            }
        case .strokes:
            for _ in 0..<Int(between(4, 10)) {
                stroke(
                    speed: scaled(300, 4_000) * (chance(0.75) ? 1 : -1), isFling: chance(0.65))
                pause(0.15, 1.6)
            }
        case .shipped: break
        case .wheels: wheel(of: 120)
        case .smallNotches: wheel(of: 24)
        case .smoothWheels:
            animate(
                in: list,
                events: wheelBursts(every: 0.035...0.12).map { ($0, 120, .wheel(dy: 120)) },
                lasting: 0.15)
        case .keys:
            var presses: [(Double, Double, Trace.Input)] = []
            let isDown = chance(0.8)
            for _ in 0..<Int(between(4, 14)) {
                let way = 0.88 * list.height * (isDown == chance(0.9) ? 1 : -1)
                presses.append((time, way, .key))
                if chance(0.5) { pause(0.12, 0.5) } else { pause(0.6, 2.5) }
            }
            animate(in: list, events: presses, lasting: 0.2)
        case .jumps:
            var place = list.offset
            for _ in 0..<Int(between(2, 4.99)) {
                place += scaled(400, 40_000) * (chance(0.6) ? 1 : -1)
                if chance(0.2) { place = 0 }
                place = min(max(0, place), list.maximumOffset)
                add(.jump(target: place))
                pause(1, 2.5)
                if chance(0.6) {
                    stroke(speed: scaled(600, 4_000) * (chance(0.6) ? 1 : -1), isFling: true)
                    pause(1.2, 3)
                }
            }
        }
        time += 0.5
    }

    private mutating func tap() {
        add(.down(y: 500))
        time += between(0.04, 0.1)
        add(.up(y: 500))
        pause(0.3, 1)
    }

    /// A stroke: the finger speeds up, and lifts near its greatest speed, or slows down to a stop.
    private mutating func stroke(speed: Double, isFling: Bool) {
        var y = 500.0
        add(.down(y: y))
        let duration = isFling ? between(0.06, 0.18) : between(0.2, 0.7)
        let first = time
        let ramp = between(0.25, 0.7)
        let noise = between(0, 0.12)
        while time < first + duration {
            let step = between(0.006, 0.0105)
            time += step
            let share = min(1, (time - first) / duration)
            // The part of the greatest speed.
            var part = min(1, share / ramp)
            if !isFling { part *= min(1, (1 - share) / 0.45) }
            y -= speed * part * step * (1 + between(-noise, noise))
            add(.move(y: y))
        }
        if !isFling {
            time += between(0.05, 0.15)
            add(.move(y: y))
        }
        time += between(0.001, 0.006)
        add(.up(y: y))
    }

    /// The times of notches in bursts.
    private mutating func wheelBursts(every interval: ClosedRange<Double>) -> [Double] {
        var times: [Double] = []
        for _ in 0..<Int(between(3, 9)) {
            let pace = scaled(interval.lowerBound, interval.upperBound)
            for _ in 0..<Int(scaled(1, 12)) {
                times.append(time)
                time += pace * between(0.7, 1.4)
            }
            if chance(0.6) { pause(0.15, 0.5) } else { pause(0.6, 2.5) }
        }
        return times
    }

    private mutating func wheel(of way: Double) {
        let isDown = chance(0.8)
        let small = way < 100
        for place in wheelBursts(every: small ? 0.008...0.04 : 0.025...0.12) {
            events.append(
                .init(
                    time: .zero + .seconds(place),
                    .wheel(dy: way * (isDown != chance(0.04) ? 1 : -1))))
        }
    }

    /// Samples of a list whose steps are animated one after the other, as browsers do.
    private mutating func animate(
        in list: Viewport, events steps: [(time: Double, way: Double, input: Trace.Input)],
        lasting: Double
    ) {
        var target = list.offset
        var from = list.offset
        var begun = -1.0
        func offset(at time: Double) -> Double {
            let share = min(1, max(0, (time - begun) / lasting))
            return from + (target - from) * (1 - pow(1 - share, 2))
        }
        var next = 0
        var now = 0.0
        let end = (steps.last?.time ?? 0) + lasting + 0.2
        while now < end {
            while next < steps.count, steps[next].time <= now {
                let here = offset(at: steps[next].time)
                from = here
                begun = steps[next].time
                target = min(max(0, target + steps[next].way), list.maximumOffset)
                events.append(
                    .init(
                        time: .zero + .seconds(steps[next].time), steps[next].input, offset: here))
                next += 1
            }
            samples.append(.init(time: .zero + .seconds(now), offset: offset(at: now)))
            now += 1 / 60
        }
        time = max(time, end)
    }
}
