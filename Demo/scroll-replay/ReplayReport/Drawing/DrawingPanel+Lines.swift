internal import LullTesting

extension DrawingPanel {
    /// Draws the predicted landings of flings, until they landed or a finger caught them.
    func drawTargets(on canvas: inout Canvas) {
        let predictions = run.log.predictions
        for (index, prediction) in predictions.enumerated() {
            var end = scale.view.end
            if index + 1 < predictions.count { end = min(end, predictions[index + 1].time) }
            if let landing = run.landings.first(where: { $0.rest > prediction.time }) {
                end = min(end, landing.rest)
            }
            let touch = run.log.inputs.first { input in
                if case .down = input.input { input.time > prediction.time } else { false }
            }
            if let touch { end = min(end, touch.time) }
            for offset in [prediction.target, prediction.target + run.log.viewportHeight] {
                let y = scale.y(tenths(offset))
                canvas.line(
                    "target", x1: scale.x(prediction.time), y1: y, x2: scale.x(end), y2: y)
            }
        }
    }

    /// Draws labelled vertical lines at lifts and landings; labels that would overlap are moved up
    /// or left out.
    func drawLines(on canvas: inout Canvas) {
        let bottom = scale.axis
        var taken = -Double.infinity
        for input in run.log.inputs where input.time < scale.view.end {
            switch input.input {
            case .up, .cancel:
                let x = scale.x(input.time)
                canvas.line("lift", x1: x, y1: scale.plotTop, x2: x, y2: bottom)
                guard x > taken + 4, x < DrawingScale.right - 52 else { continue }
                canvas.label("", x: x - 1, y: scale.plotTop - 5, "finger up")
                taken = x + 52
            default: break
            }
        }
        var lanes = [Double](repeating: -.infinity, count: 3)
        for landing in run.landings where landing.cause != .start || landing.complete ?? 1 > 0 {
            let time = landing.complete.map { max($0, landing.origin) } ?? landing.rest
            guard time <= scale.view.end else { continue }
            let x = scale.x(time)
            canvas.line(
                landing.complete == nil ? "never" : "complete", x1: x, y1: scale.plotTop, x2: x,
                y2: bottom)
            let text = label(of: landing)
            let width = 6.2 * Double(text.count)
            let left = x + 4 + width > DrawingScale.right - 2 ? x - 4 - width : x + 4
            guard let lane = lanes.firstIndex(where: { $0 < left }) else { continue }
            lanes[lane] = left + width
            canvas.label(
                "complete-label", x: left, y: scale.plotBottom - 6 - 15 * Double(lane), text)
        }
    }

    private func label(of landing: Landing) -> String {
        guard let wait = landing.wait else { return "never complete" }
        if run.landings.count > 3 { return "+\(milliseconds(wait)) ms" }
        let cause =
            switch landing.cause {
            case .start: "from the start"
            case .lift: "after lift"
            case .wheel: "after the wheel"
            case .key: "after the key"
            case .motion: "after it set off"
            }
        return "landing complete \(shortMilliseconds(wait)) ms \(cause)"
    }

    /// Adds the numbers of loads above and below the drawn range.
    func drawHidden(on canvas: inout Canvas) {
        let places = run.bars.compactMap { rows.place(ofRow: $0.row) }
        let above = places.count { $0.upperBound <= scale.view.places.lowerBound }
        let below = places.count { $0.lowerBound >= scale.view.places.upperBound }
        let x = DrawingScale.right - 4
        if above > 0 {
            canvas.label("end", x: x, y: scale.plotTop + 13, "▲ \(above) loads out of view")
        }
        if below > 0 {
            canvas.label("end", x: x, y: scale.plotBottom - 6, "▼ \(below) loads out of view")
        }
    }
}
