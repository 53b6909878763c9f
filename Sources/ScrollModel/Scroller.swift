/// A platform's way to move a list: its fling, its brake, and its way to measure a finger.
///
/// The same stroke ends 194 px further on Android, 499 px on iOS, and 189 px in a desktop browser (at
/// 1000 px/s); so which rows are worth loading depends on whose scroller moves the list.
///
/// ```swift
/// Scroller(.android)                       // Android's, all by its constants
/// Scroller(.qt, brake: 2)                  // a Flickable that brakes twice as hard
/// let fling = Scroller(.chromium).fling(
///     from: 1_200, velocity: 3_000, bounds: viewport.minimumOffset...viewport.maximumOffset,
///     viewportHeight: 800)
/// fling.target                             // where the list will rest
/// ```
public struct Scroller: Sendable {
    /// The platform whose curve it is.
    package let name: FlingModelName

    /// The way in which the release velocity is measured.
    package let tracking: VelocityTracker.Configuration

    /// The brake, as a multiple of the platform's.
    package let brake: Double

    /// The rule of its flings.
    package let model: any FlingModel

    /// A platform's scroller, or one whose brake is so many times as hard.
    ///
    /// - Precondition: the brake is positive and finite.
    public init(_ name: FlingModelName, brake: Double = 1) {
        self.init(name, tracking: name.tracking, brake: brake)
    }

    /// One that measures fingers in a way of its own.
    package init(
        _ name: FlingModelName, tracking: VelocityTracker.Configuration, brake: Double = 1
    ) {
        self.name = name
        self.tracking = tracking
        self.brake = brake
        model = name.model(brake: brake)
    }

    /// The path of a list that is let go.
    ///
    /// - Parameters:
    ///   - start: where the list is, in px; brought into the bounds if it lies outside.
    ///   - velocity: how fast the offset grows, in px per second.
    ///   - bounds: the offsets at which the list can rest; nothing bounds it by default.
    ///   - viewportHeight: the window's height in px, by which some platforms limit the way.
    /// - Returns: the whole path, from which any moment can be asked.
    /// - Precondition: start, velocity and height are finite, the height is not negative.
    public func fling(
        from start: Double, velocity: Double,
        bounds: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude,
        viewportHeight: Double
    ) -> Fling {
        model.fling(
            from: start, velocity: velocity, bounds: bounds, viewportHeight: viewportHeight)
    }

    /// Returns the way of a fling that nothing bounds, in px.
    func reach(from start: Double, velocity: Double, viewportHeight: Double) -> Double {
        fling(from: start, velocity: velocity, viewportHeight: viewportHeight).unclampedTarget
            - start
    }
}
