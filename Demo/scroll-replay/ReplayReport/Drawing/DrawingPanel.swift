internal import IdleLoop
internal import Laboratory
internal import LullTesting
internal import ReplayText

/// One run in a drawing.
struct DrawingPanel {
    private let run: RunAccount
    private let rows: RowTable
    private let scale: DrawingScale
    private let index: Int

    /// Creates the panel of a run, given its index in its trace.
    init(run: RunAccount, rows: RowTable, scale: DrawingScale, index: Int) {
        self.run = run
        self.rows = rows
        self.scale = scale
        self.index = index
    }

    func draw(on canvas: inout Canvas) {
        let band = band
        canvas.add("<g role=\"group\" aria-label=\"\(escaped(run.label))\">")
        canvas.label("title", x: 12, y: scale.top + 18, run.label)
        canvas.label("sum", x: 12, y: scale.top + 36, FigureTable.numbers(of: run))
        canvas.add(
            "<clipPath id=\"plot-\(index)\"><rect x=\"\(short(DrawingScale.left))\" "
                + "y=\"\(short(scale.plotTop))\" width=\"\(short(width))\" "
                + "height=\"\(short(DrawingScale.plotHeight))\"/></clipPath>")
        canvas.add("<clipPath id=\"band-\(index)\"><path d=\"\(band)\"/></clipPath>")
        canvas.add("<g clip-path=\"url(#plot-\(index))\">")
        canvas.path("band", band)
        drawBlanks(on: &canvas)
        drawRows(on: &canvas)
        drawBars(on: &canvas)
        drawTargets(on: &canvas)
        canvas.add("</g>")
        canvas.rectangle(
            "plain", x: DrawingScale.left, y: scale.plotTop, width: width,
            height: DrawingScale.plotHeight)
        drawRowNumbers(on: &canvas)
        drawStrips(on: &canvas)
        drawLines(on: &canvas)
        drawHidden(on: &canvas)
        canvas.add("</g>")
    }

    private var width: Double { DrawingScale.right - DrawingScale.left }

    /// The path of the viewport over the rows; it stands still where frames were dropped.
    private var band: String {
        let height = tenths(run.log.viewportHeight)
        var points: [(x: Double, place: Int)] = []
        var before: ReplayLog.Frame?
        for frame in run.log.frames {
            if let before, frame.number > before.number + 1 {
                points.append(
                    (scale.x(frame.due - period), tenths(before.offset)))
            }
            points.append((scale.x(frame.due), tenths(frame.offset)))
            before = frame
        }
        if let before { points.append((scale.x(before.deadline), tenths(before.offset))) }
        let outline = points + points.reversed().map { ($0.x, $0.place + height) }
        guard let first = outline.first else { return "" }
        // The path has steps; points in straight parts are left out.
        var text = "M\(short(first.x)) \(short(scale.y(first.place)))"
        for (index, point) in outline.enumerated().dropFirst() {
            if index + 1 < outline.count, outline[index - 1].place == point.place,
                outline[index + 1].place == point.place
            {
                continue
            }
            text += "L\(short(point.x)) \(short(scale.y(point.place)))"
        }
        return text + "Z"
    }

    /// The time between frames.
    private var period: Duration { .nanoseconds(1_000_000_000 / run.log.title.hz) }

    private func drawBlanks(on canvas: inout Canvas) {
        guard !run.blanks.isEmpty else { return }
        let frames = run.log.frames
        var path = ""
        for span in run.blanks {
            guard let place = rows.place(ofRow: span.row) else { continue }
            let next = span.first + span.count
            let end = next < frames.count ? frames[next].due : frames[next - 1].deadline
            let x = scale.x(frames[span.first].due)
            let height = max(2, Double(place.count) * scale.scale)
            path += "M\(short(x)) \(short(scale.y(place.lowerBound)))"
            path += "H\(short(max(x + 2, scale.x(end))))v\(short(height))H\(short(x))Z"
        }
        canvas.add("<g clip-path=\"url(#band-\(index))\"><title>on screen, not loaded</title>")
        canvas.path("blank", path)
        canvas.add("</g>")
    }

    private func drawRows(on canvas: inout Canvas) {
        var path = ""
        forEachRow { _, y, height in
            if height >= 5 { path += "M\(short(DrawingScale.left)) \(short(y))h\(short(width))" }
        }
        canvas.path("grid", path)
    }

    private func drawRowNumbers(on canvas: inout Canvas) {
        var last = -Double.infinity
        forEachRow { row, top, height in
            let y = top + min(8, height / 2) + 4
            guard y >= last + 15, y > scale.plotTop + 8, y < scale.plotBottom - 2 else { return }
            last = y
            canvas.label("end", x: DrawingScale.left - 6, y: y, "\(row)")
        }
    }

    private func forEachRow(_ body: (_ row: Int, _ y: Double, _ height: Double) -> Void) {
        for segment in rows.segments {
            for (index, row) in segment.rows.enumerated()
            where scale.view.places.contains(segment.tops[index]) {
                body(
                    row, scale.y(segment.tops[index]),
                    Double(segment.heights[index]) * scale.scale)
            }
        }
    }

    // MARK: - Loads

    /// The style of a bar.
    private enum Kind: String, CaseIterable {
        case back, wasted, seen

        init(_ bar: LoadBar) {
            switch bar.outcome {
            case .takenBack: self = .back
            case .waiting where bar.begun == nil: self = .back
            case .failed: self = .wasted
            case .finished, .waiting: self = bar.isUseful ? .seen : .wasted
            }
        }
    }

    /// Draws the loads: pale while they wait, solid while work is done.
    private func drawBars(on canvas: inout Canvas) {
        let slices = Dictionary(grouping: run.log.slices, by: \.row)
        let reasons = run.lastReasons
        for kind in Kind.allCases {
            var thin: [Int: [Range<Instant>]] = [:]
            var thinWork = ""
            for bar in run.bars where Kind(bar) == kind && bar.asked <= scale.view.end {
                guard let place = rows.place(ofRow: bar.row), place.overlaps(scale.places) else {
                    continue
                }
                let height = Double(place.count) * scale.scale
                let own = (slices[bar.row] ?? []).filter { slice in
                    bar.begun.map { slice.end >= $0 && slice.start <= bar.end } ?? false
                }
                if height < 2 {
                    let line = Int((scale.y(place.lowerBound) + height / 2) / 2)
                    thin[line, default: []].append(bar.asked..<max(bar.asked, bar.waitEnd))
                    for (from, to) in joined(own) {
                        thinWork += "M\(short(from)) \(line * 2)H\(short(to))v2"
                        thinWork += "H\(short(from))Z"
                    }
                } else {
                    canvas.add("<g><title>\(escaped(title(of: bar, reasons[bar.row])))</title>")
                    draw(bar, kind, own, y: scale.y(place.lowerBound), height: height, on: &canvas)
                    canvas.add("</g>")
                }
            }
            drawThin(thin, kind, on: &canvas)
            canvas.path(kind.rawValue, thinWork)
        }
    }

    private func draw(
        _ bar: LoadBar, _ kind: Kind, _ own: [ReplayLog.Slice], y: Double, height: Double,
        on canvas: inout Canvas
    ) {
        let height = height > 5 ? height - 1 : height
        let x = scale.x(bar.asked)
        let width = max(1, scale.x(bar.waitEnd) - x)
        canvas.rectangle("\(kind.rawValue)-wait", x: x, y: y, width: width, height: height)
        if kind == .wasted, height >= 4, width >= 2 {
            canvas.rectangle("hatch", x: x, y: y, width: width, height: height)
        }
        if let fetch = bar.fetch {
            canvas.line(
                "fetch", x1: scale.x(fetch.lowerBound), y1: y + height / 2,
                x2: scale.x(fetch.upperBound), y2: y + height / 2)
        }
        for (from, to) in joined(own) {
            canvas.rectangle(kind.rawValue, x: from, y: y, width: to - from, height: height)
        }
        let end = scale.x(bar.end)
        if kind == .wasted, bar.begun != nil {
            let size = min(5, height)
            canvas.path(
                "wasted",
                "M\(short(end)) \(short(y))l\(short(size)) \(short(size / 2))"
                    + "l\(short(-size)) \(short(size / 2))z")
        }
        if bar.outcome == .failed {
            canvas.path("cross", "M\(short(end + 4)) \(short(y + height / 2 - 3))l6 6m0-6l-6 6")
        }
    }

    /// Returns the intervals of work on the loop, merging those that would look like one.
    private func joined(_ slices: [ReplayLog.Slice]) -> [(from: Double, to: Double)] {
        var pieces: [(from: Double, to: Double)] = []
        for slice in slices {
            let (from, to) = (scale.x(slice.start), scale.x(slice.end))
            if let last = pieces.last, from - last.to < 0.5 {
                pieces[pieces.count - 1].to = to
            } else {
                pieces.append((from, to))
            }
        }
        return pieces.map { ($0.from, max($0.to, $0.from + 1.5)) }
    }

    /// Draws the waits of rows of less than 2 px, on lines of 2 px, merging those that overlap.
    private func drawThin(
        _ lines: [Int: [Range<Instant>]], _ kind: Kind, on canvas: inout Canvas
    ) {
        var path = ""
        for line in lines.keys.sorted() {
            for time in merged(lines[line] ?? []) {
                let x = scale.x(time.lowerBound)
                let end = max(x + 1, scale.x(time.upperBound))
                path += "M\(short(x)) \(line * 2)H\(short(end))v2H\(short(x))Z"
            }
        }
        canvas.path("\(kind.rawValue)-wait", path)
    }

    private func title(of bar: LoadBar, _ reason: String?) -> String {
        var text = "row \(bar.row): asked for at \(milliseconds(bar.asked)) ms"
        if let begun = bar.begun { text += ", begun at \(milliseconds(begun)) ms" }
        let end = milliseconds(bar.end)
        switch bar.outcome {
        case .finished: text += ", loaded at \(end) ms; \(bar.isUseful ? "seen" : "never seen")"
        case .failed: text += ", failed at \(end) ms"
        case .takenBack: text += ", taken back at \(end) ms"
        case .waiting: text += ", still waiting at the end"
        }
        if let reason = reason { text += ". " + reason }
        return text
    }

    // MARK: - Landings

    /// Draws the predicted landings of flings, until they landed or a finger caught them.
    private func drawTargets(on canvas: inout Canvas) {
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
    private func drawLines(on canvas: inout Canvas) {
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
        for landing in run.landings where landing.cause != .start || landing.complete != .zero {
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
        return "landing complete \(milliseconds(wait, wait < .microseconds(99_950) ? 1 : 0)) ms "
            + landing.cause.words
    }

    /// Adds the numbers of loads above and below the drawn range.
    private func drawHidden(on canvas: inout Canvas) {
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

    // MARK: - Strips

    /// Draws the strips below the rows: frames, inputs, queue and the time axis.
    private func drawStrips(on canvas: inout Canvas) {
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
        let width = scale.x(.zero + period) - DrawingScale.left
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
                let middle =
                    scale.x(frame.due + period * (number - frame.number)) + width / 2
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
        let step = niceStep(atLeast: .nanoseconds(scale.view.end.nanoseconds / 12))
        var time = Instant.zero
        while time <= scale.view.end {
            let x = scale.x(time)
            canvas.line("plain", x1: x, y1: scale.axis, x2: x, y2: scale.axis + 4)
            let text =
                step < .milliseconds(1)
                ? "\(microseconds(time)) µs" : "\(time.nanoseconds / 1_000_000) ms"
            canvas.label("mid", x: min(x, DrawingScale.right - 20), y: scale.axis + 16, text)
            time += step
        }
    }

    /// Returns the smallest of 1, 2 and 5 times a power of ten that is at least `least`.
    private func niceStep(atLeast least: Duration) -> Duration {
        var power = Duration.microseconds(1)
        while true {
            for factor in [1, 2, 5] where power * factor >= least { return power * factor }
            power *= 10
        }
    }
}

extension DrawingScale {
    /// The visible range of places.
    fileprivate var places: Range<Int> { Range(view.places) }
}
