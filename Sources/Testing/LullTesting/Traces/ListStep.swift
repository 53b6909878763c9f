internal import ScrollModel

/// An event for a list that plays a trace: an input, or the end of a jump.
struct ListStep {
    /// The time, on a clock that begins with the trace.
    let time: Instant
    let event: ScrollEvent
    /// The index of the input among the trace's events; nil for the end of a jump.
    var input: Int?

    /// Returns the steps of a trace, in order, in a list that follows `path`.
    ///
    /// With `reportsLandings`, a lift has the offset at which the list then rested.
    static func all(
        of trace: Trace, along path: OffsetPath, reportsLandings: Bool = false
    ) -> [ListStep] {
        var steps: [ListStep] = []
        var end: Instant?
        for (index, event) in trace.events.enumerated() {
            if let due = end, due <= event.time {
                steps.append(ListStep(time: due, event: .jumpEnded))
                end = nil
            }
            var told = ScrollEvent(event.input)
            switch event.input {
            case .up(let y) where reportsLandings:
                told = .up(y: y, target: path.target(ofLift: index, in: trace))
            case .jump: end = path.end(ofJump: index, in: trace)
            default: break
            }
            steps.append(ListStep(time: event.time, event: told, input: index))
        }
        if let end { steps.append(ListStep(time: end, event: .jumpEnded)) }
        return steps
    }
}

extension ScrollEvent {
    /// Creates the event that a trace's input is to a list.
    fileprivate init(_ input: Trace.Input) {
        self =
            switch input {
            case .down(let y): .down(y: y)
            case .move(let y): .moved(y: y)
            case .up(let y): .up(y: y)
            case .cancel: .cancelled
            case .wheel: .wheel
            case .key: .key
            case .jump(let target): .jumpBegan(target: target)
            }
    }
}
