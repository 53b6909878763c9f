/// Chromium's fling on Linux and Windows: the distance of a constant deceleration, with easing.
///
/// The distance is that of a constant deceleration a, v²/(2a), but at most three viewports. The
/// duration comes from another deceleration, |v|/2300 s and at most 2 s. In between, a cubic Bézier
/// eases out; its first handle is set so that the list starts at the finger's speed. (Chromium,
/// ui/events/gestures/physics_based_fling_curve.cc. In 84 recorded flings the median error was 9
/// px.)
package struct ChromiumPhysicsFling: FlingModel {
    /// The maximum distance, in viewport heights; rounded down to whole px.
    private static let maximumViewports = 3.0
    /// The deceleration that determines the duration, in px per second squared.
    private static let timeDeceleration = 2300.0
    /// The maximum duration, in seconds.
    private static let maximumDuration = 2.0
    /// The times, as shares, at which the easing's handles reach full height.
    private static let handles = (first: 0.2, second: 0.55)

    /// The deceleration that determines the distance, in px per second squared.
    private let deceleration: Double

    /// A fling with Chromium's constants, and its deceleration times a brake.
    package init(brake: Double = 1) {
        // Inches per second squared, and the density that the browser assumes, in px per inch.
        deceleration = 27.559 * brake * 96
    }

    /// Returns an eased path of at most three viewports and two seconds.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let limit = (viewportHeight * Self.maximumViewports).rounded(.down)
        let way = min(velocity * velocity / (2 * deceleration), limit)
        let duration = min(Self.maximumDuration, abs(velocity) / Self.timeDeceleration)
        return Curve(
            distance: velocity < 0 ? -way : way, duration: duration,
            easing: easing(slope: way > 0 ? abs(velocity) * duration / way : 0))
    }

    /// Returns the sum of both: Chromium adds the release velocity of a running fling to the next
    /// one.
    package func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double {
        velocity * flywheel.fling.velocity > 0 ? velocity + flywheel.fling.velocity : velocity
    }

    /// Returns the Bézier curve whose initial slope is that of the release.
    private func easing(slope: Double) -> CubicBezier {
        let fitsBelow = slope * Self.handles.first < 1
        return CubicBezier(
            first: fitsBelow ? (Self.handles.first, Self.handles.first * slope) : (1 / slope, 1),
            second: (Self.handles.second, 1))
    }

    private struct Curve: FlingCurve {
        let distance: Double
        let duration: Double
        let easing: CubicBezier

        func distance(at time: Double) -> Double {
            distance * easing.y(atX: time / duration)
        }

        func velocity(at time: Double) -> Double {
            duration > 0 ? distance / duration * easing.slope(atX: time / duration) : 0
        }

        func time(atDistance part: Double) -> Double {
            distance == 0 ? 0 : duration * easing.x(atY: part / distance)
        }
    }
}
