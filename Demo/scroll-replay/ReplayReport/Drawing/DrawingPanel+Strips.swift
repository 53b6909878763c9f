internal import LullTesting

extension DrawingPanel {
    /// Draws the strips below the rows: frames, inputs, queue and the time axis.
    func drawStrips(on canvas: inout Canvas) {
        let label = DrawingScale.left - 6
        canvas.label("end", x: label, y: scale.framesTop + 10, "frames")
        canvas.label("end", x: label, y: scale.inputsTop + 10, "input")
        let most = run.log.frames.map(\.queued).max() ?? 0
        canvas.label("end", x: label, y: scale.queueTop + 11, "queue")
        canvas.label("end", x: label, y: scale.queueTop + 23, "≤ \(most)")
        drawFrames(on: &canvas)
        drawInputs(on: &canvas)
        drawQueue(most: most, on: &canvas)
        drawAxis(on: &canvas)
    }

    private func drawFrames(on canvas: inout Canvas) {
        var inTime = ""
        var dropped = ""
        var late: [ReplayLog.Frame] = []
        var before: ReplayLog.Frame?
        let width = scale.x(period) - DrawingScale.left
        var open: (from: Double, to: Double)?
        func close() {
            guard let open else { return }
            inTime += "M\(short(open.from)) \(short(scale.framesTop + 2))H\(short(open.to))v8"
            inTime += "H\(short(open.from))Z"
        }
        for frame in run.log.frames where frame.due < scale.view.end {
            let x = scale.x(frame.due)
            let end = min(scale.x(frame.deadline), DrawingScale.right) - (width > 4 ? 1 : 0)
            // Frames whose gap is too small to see are drawn as one.
            if let last = open, width <= 4, x - last.to < 0.2 {
                open = (last.from, end)
            } else {
                close()
                open = (x, max(x + 0.5, end))
            }
            if frame.isLate { late.append(frame) }
            let first = before.map { $0.number + 1 } ?? frame.number
            for number in first..<max(first, frame.number) {
                let middle = scale.x(frame.due - Int64(frame.number - number) * period) + width / 2
                dropped += "M\(short(middle - 3)) \(short(scale.framesTop + 3))l6 6m0-6l-6 6"
            }
            before = frame
        }
        close()
        canvas.path("frame", inTime)
        canvas.path("dropped", dropped)
        for frame in late {
            canvas.rectangle(
                "late", x: scale.x(frame.due), y: scale.framesTop, width: max(2, width - 1),
                height: DrawingScale.strip,
                title: "frame \(frame.number): late by "
                    + "\(milliseconds(frame.end - frame.deadline)) ms")
        }
    }

    private func drawInputs(on canvas: inout Canvas) {
        let y = scale.inputsTop
        var path = ""
        for input in run.log.inputs where input.time < scale.view.end {
            let x = scale.x(input.time)
            switch input.input {
            case .down: path += "M\(short(x - 4)) \(short(y + 1))h8l-4 9Z"
            case .up: path += "M\(short(x - 4)) \(short(y + 10))h8l-4-9Z"
            case .cancel: path += "M\(short(x - 4)) \(short(y + 5))h8v2h-8Z"
            case .move: path += "M\(short(x - 0.5)) \(short(y + 3.5))h1v5h-1Z"
            case .wheel: path += "M\(short(x)) \(short(y + 2))l4 4l-4 4l-4-4Z"
            case .key: path += "M\(short(x - 3)) \(short(y + 3))h6v6h-6Z"
            }
        }
        canvas.path("input", path)
    }

    private func drawQueue(most: Int, on canvas: inout Canvas) {
        let floor = scale.queueTop + DrawingScale.queue - 2
        let step = (DrawingScale.queue - 4) / Double(max(1, most))
        var path = "M\(short(DrawingScale.left)) \(short(floor))"
        var queued = 0
        for frame in run.log.frames where frame.queued != queued && frame.due < scale.view.end {
            queued = frame.queued
            path += "H\(short(scale.x(frame.due)))V\(short(floor - Double(queued) * step))"
        }
        path += "H\(short(DrawingScale.right))V\(short(floor))Z"
        if most > 0 { canvas.path("queue", path) }
        canvas.line("plain", x1: DrawingScale.left, y1: floor, x2: DrawingScale.right, y2: floor)
    }

    private func drawAxis(on canvas: inout Canvas) {
        let step = niceStep(atLeast: scale.view.end / 12)
        var time: Int64 = 0
        while time <= scale.view.end {
            let x = scale.x(time)
            canvas.line("plain", x1: x, y1: scale.axis, x2: x, y2: scale.axis + 4)
            let text =
                step < 1_000_000
                ? "\(microseconds(time)) µs" : "\(time / 1_000_000) ms"
            canvas.label("mid", x: min(x, DrawingScale.right - 20), y: scale.axis + 16, text)
            time += step
        }
    }

    /// Returns the smallest of 1, 2 and 5 times a power of ten that is at least `least`, in
    /// nanoseconds.
    private func niceStep(atLeast least: Int64) -> Int64 {
        var power: Int64 = 1000
        while true {
            for factor: Int64 in [1, 2, 5] where factor * power >= least { return factor * power }
            power *= 10
        }
    }
}
