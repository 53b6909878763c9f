internal import DeferredLoading
internal import LullTesting

extension DrawingPanel {
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
    func drawBars(on canvas: inout Canvas) {
        let slices = Dictionary(grouping: run.log.slices, by: \.row)
        let reasons = Dictionary(
            uniqueKeysWithValues: run.stories.map { ($0.row, $0.decisions.compactMap(\.reason)) })
        for kind in Kind.allCases {
            var thin: [Int: [Range<Int64>]] = [:]
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
        _ lines: [Int: [Range<Int64>]], _ kind: Kind, on canvas: inout Canvas
    ) {
        var path = ""
        for line in lines.keys.sorted() {
            let times = (lines[line] ?? []).sorted { $0.lowerBound < $1.lowerBound }
            var merged: [Range<Int64>] = []
            for time in times {
                if let last = merged.last, time.lowerBound <= last.upperBound {
                    merged[merged.count - 1] =
                        last.lowerBound..<max(last.upperBound, time.upperBound)
                } else {
                    merged.append(time)
                }
            }
            for time in merged {
                let x = scale.x(time.lowerBound)
                let end = max(x + 1, scale.x(time.upperBound))
                path += "M\(short(x)) \(line * 2)H\(short(end))v2H\(short(x))Z"
            }
        }
        canvas.path("\(kind.rawValue)-wait", path)
    }

    private func title(of bar: LoadBar, _ reasons: [String]?) -> String {
        var text = "row \(bar.row): asked for at \(milliseconds(bar.asked)) ms"
        if let begun = bar.begun { text += ", begun at \(milliseconds(begun)) ms" }
        let end = milliseconds(bar.end)
        switch bar.outcome {
        case .finished: text += ", loaded at \(end) ms; \(bar.isUseful ? "seen" : "never seen")"
        case .failed: text += ", failed at \(end) ms"
        case .takenBack: text += ", taken back at \(end) ms"
        case .waiting: text += ", still waiting at the end"
        }
        if let reason = reasons?.last { text += ". " + reason }
        return text
    }
}

extension DrawingScale {
    /// The visible range of places.
    fileprivate var places: Range<Int> { Range(view.places) }
}
