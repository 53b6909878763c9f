/// The vertical axis of a touch panel, and the conversion of its units to px.
struct EvdevAxis: Equatable {
    var minimum: Int64 = 0
    var maximum: Int64 = 0
    /// The units in a mm; 0 if the device doesn't report it.
    var resolution: Int64 = 0

    /// The device-independent px in a mm; an inch has 160.
    static let pixelsPerMillimetre = 160 / 25.4

    /// Returns a position in px, to a thousandth, which is finer than any panel.
    func pixels(_ value: Int64, _ options: TraceFileOptions) -> Double {
        (exactPixels(value, options) * 1000).rounded() / 1000
    }

    private func exactPixels(_ value: Int64, _ options: TraceFileOptions) -> Double {
        let units = Double(value) - Double(minimum)
        if let density = options.density { return units / density }
        if let range = options.touchRange { return units / range * options.viewportHeight }
        guard resolution > 0 else { return units }
        return units / Double(resolution) * Self.pixelsPerMillimetre
    }

    /// Returns a note on the assumed unit of the positions, if one had to be assumed.
    func note(_ options: TraceFileOptions) -> String? {
        guard options.density == nil, options.touchRange == nil, resolution <= 0 else { return nil }
        return maximum > 0
            ? "a unit of the panel (0 to \(maximum)) taken for a px"
            : "a unit of the panel taken for a px"
    }
}
