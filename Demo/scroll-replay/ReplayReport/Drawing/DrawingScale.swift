internal import IdleLoop

/// The conversion of a trace's times and places to coordinates in a drawing's panel.
struct DrawingScale {
    static let left = 56.0
    static let right = 1188.0
    static let plotHeight = 300.0
    static let strip = 12.0
    static let queue = 26.0
    /// The height of a panel: title, figures, labels, plot, strips, axis.
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

    /// Returns the x coordinate of a time.
    func x(_ time: Instant) -> Double {
        Self.left + Double(time.nanoseconds) / Double(view.end.nanoseconds)
            * (Self.right - Self.left)
    }

    /// Returns the y coordinate of a place in the list, in tenths of a pixel.
    func y(_ place: Int) -> Double {
        plotTop + Double(place - view.places.lowerBound) * scale
    }

    /// The pixels of the drawing for a tenth of a pixel of the list.
    var scale: Double {
        Self.plotHeight / Double(max(1, view.places.upperBound - view.places.lowerBound))
    }
}
