/// Where times and places of a trace stand in a drawing's panel.
struct DrawingScale {
    static let left = 56.0
    static let right = 1188.0
    static let plotHeight = 300.0
    static let strip = 12.0
    static let queue = 26.0
    /// What a panel takes: title, figures, labels, plot, strips, axis.
    static let panelHeight = 24.0 + 18 + 18 + plotHeight + 2 * (strip + 5) + 5 + queue + 30

    let view: PictureView
    /// The top of the panel.
    let top: Double

    var plotTop: Double { top + 60 }
    var plotBottom: Double { plotTop + Self.plotHeight }
    var framesTop: Double { plotBottom + 5 }
    var inputsTop: Double { framesTop + Self.strip + 5 }
    var queueTop: Double { inputsTop + Self.strip + 5 }
    var axis: Double { queueTop + Self.queue }

    /// The place of a time, in nanoseconds.
    func x(_ time: Int64) -> Double {
        Self.left + Double(time) / Double(view.end) * (Self.right - Self.left)
    }

    /// The place of a place in the list, in tenths of a pixel.
    func y(_ place: Int) -> Double {
        plotTop + Double(place - view.places.lowerBound) * scale
    }

    /// Pixels of the drawing for a tenth of a pixel of the list.
    var scale: Double {
        Self.plotHeight / Double(max(1, view.places.upperBound - view.places.lowerBound))
    }
}
