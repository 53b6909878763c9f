import Foundation
import Testing

/// Checks a Chrome trace against the rules of its format that viewers complain about.
struct TraceChecker {
    private struct Place: Hashable {
        let process: Int
        let thread: Int
    }

    private let events: [[String: Any]]
    private(set) var faults: [String] = []

    init(_ text: String) throws {
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let root = try #require(json as? [String: Any])
        events = try #require(root["traceEvents"] as? [[String: Any]])
        checkTimes()
        checkNesting()
        checkAsync()
        checkCounters()
        checkFlows()
    }

    var processes: Int { Set(events.compactMap { $0["pid"] as? Int }).count }

    func count(_ phase: String) -> Int { events(phase).count }

    private func events(_ phase: String) -> [[String: Any]] {
        events.filter { $0["ph"] as? String == phase }
    }

    /// Whole nanoseconds, so that comparing is exact.
    private func time(_ event: [String: Any], _ key: String = "ts") -> Int {
        Int((((event[key] as? NSNumber)?.doubleValue ?? -1) * 1000).rounded())
    }

    private func place(_ event: [String: Any]) -> Place {
        Place(process: event["pid"] as? Int ?? -1, thread: event["tid"] as? Int ?? -1)
    }

    private func key(_ event: [String: Any]) -> String {
        "\(event["cat"] ?? "") \(event["id"] ?? "") \(event["pid"] ?? "")"
    }

    private mutating func checkTimes() {
        for event in events {
            let phase = event["ph"] as? String ?? ""
            if event["name"] as? String == nil { faults.append("no name: \(event)") }
            if event["pid"] as? Int == nil { faults.append("no process: \(event)") }
            if phase == "M" { continue }
            if time(event) < 0 { faults.append("time: \(event)") }
            if phase == "X", time(event, "dur") < 0 { faults.append("length: \(event)") }
            if !["X", "b", "e", "C", "i", "s", "f"].contains(phase) {
                faults.append("phase: \(event)")
            }
        }
    }

    private var slices: [Place: [Range<Int>]] {
        Dictionary(grouping: events("X"), by: place).mapValues { events in
            events.map { time($0)..<time($0) + max(0, time($0, "dur")) }
        }
    }

    private mutating func checkNesting() {
        for (place, slices) in slices {
            var open: [Range<Int>] = []
            let sorted = slices.sorted {
                ($0.lowerBound, -$0.upperBound) < ($1.lowerBound, -$1.upperBound)
            }
            for slice in sorted {
                while let last = open.last, last.upperBound <= slice.lowerBound {
                    open.removeLast()
                }
                if let last = open.last, slice.upperBound > last.upperBound {
                    faults.append("overlap on \(place): \(last) and \(slice)")
                }
                open.append(slice)
            }
        }
    }

    /// Begins and ends of an id nest, in the order in which they stand.
    private mutating func checkAsync() {
        var open: [String: [(name: String, time: Int)]] = [:]
        var used: Set<String> = []
        for event in events {
            let name = event["name"] as? String ?? ""
            let key = key(event)
            switch event["ph"] as? String {
            case "b":
                if open[key, default: []].isEmpty, !used.insert(key).inserted {
                    faults.append("id used twice: \(event)")
                }
                open[key, default: []].append((name, time(event)))
            case "e":
                guard let last = open[key]?.popLast(), last.name == name, last.time <= time(event)
                else {
                    faults.append("end without begin: \(event)")
                    continue
                }
            default: break
            }
        }
        for (key, left) in open where !left.isEmpty { faults.append("begin without end: \(key)") }
    }

    private mutating func checkCounters() {
        for event in events("C") {
            let arguments = event["args"] as? [String: Any] ?? [:]
            if arguments.isEmpty || !arguments.values.allSatisfy({ $0 is NSNumber }) {
                faults.append("counter: \(event)")
            }
            if event["tid"] != nil { faults.append("counter of a thread: \(event)") }
        }
    }

    private mutating func checkFlows() {
        let slices = slices
        func isInside(_ event: [String: Any]) -> Bool {
            (slices[place(event)] ?? []).contains {
                $0.lowerBound <= time(event) && time(event) <= $0.upperBound
            }
        }
        var starts: [String: Int] = [:]
        for event in events("s") {
            starts[key(event)] = time(event)
            if !isInside(event) { faults.append("flow outside a slice: \(event)") }
        }
        for event in events("f") {
            if !isInside(event) || event["bp"] as? String != "e" {
                faults.append("flow outside a slice: \(event)")
            }
            guard let start = starts.removeValue(forKey: key(event)), start <= time(event) else {
                faults.append("flow without start: \(event)")
                continue
            }
        }
        for key in starts.keys { faults.append("flow without finish: \(key)") }
    }
}
