internal import LullTesting

/// One run in a drawing.
struct DrawingPanel {
    let run: RunPicture
    let rows: RowTable
    let scale: DrawingScale
    /// The index of the run in its trace.
    let index: Int

    func draw(on canvas: inout Canvas) {
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

    var width: Double { DrawingScale.right - DrawingScale.left }

    /// The path of the viewport over the rows; it stands still where frames were dropped.
    private var band: String {
        let height = tenths(run.log.viewportHeight)
        var points: [(x: Double, place: Int)] = []
        var before: ReplayLog.Frame?
        for frame in run.log.frames {
            if let before, frame.number > before.number + 1 {
                points.append((scale.x(frame.due - period), tenths(before.offset)))
            }
            points.append((scale.x(frame.due), tenths(frame.offset)))
            before = frame
        }
        if let before { points.append((scale.x(before.deadline), tenths(before.offset))) }
        let way = points + points.reversed().map { ($0.x, $0.place + height) }
        guard let first = way.first else { return "" }
        // The path has steps; points in straight parts are left out.
        var text = "M\(short(first.x)) \(short(scale.y(first.place)))"
        for (index, point) in way.enumerated().dropFirst() {
            if index + 1 < way.count, way[index - 1].place == point.place,
                way[index + 1].place == point.place
            {
                continue
            }
            text += "L\(short(point.x)) \(short(scale.y(point.place)))"
        }
        return text + "Z"
    }

    /// The time between frames, in nanoseconds.
    var period: Int64 { 1_000_000_000 / Int64(run.log.title.hz) }

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
}
