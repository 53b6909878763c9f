/// Chromium's fling on Linux and Windows: the distance of a constant deceleration, with easing.
///
/// The distance is that of a constant deceleration a, v²/(2a), but at most three viewports. The
/// duration comes from another deceleration, |v|/2300 s and at most 2 s. In between, a cubic Bézier
/// eases out; its first handle is set so that the list starts at the finger's speed. (Chromium,
/// ui/events/gestures/physics_based_fling_curve.cc. In 84 recorded flings the median error was 9
/// px.)
package struct ChromiumPhysicsFling: FlingModel {
    private let deceleration: Double
    private let maximumViewports: Double
    private let timeDeceleration: Double
    private let maximumDuration: Double
    private let handles: (first: Double, second: Double)

    /// A fling with Chromium's constants, or with others.
    ///
    /// - Parameters:
    ///   - pixelsPerInch: the screen's density as the browser assumes it, in px.
    ///   - deceleration: the deceleration that determines the distance, in inches per second
    ///     squared.
    ///   - maximumViewports: the maximum distance, in viewport heights; rounded down to whole px.
    ///   - timeDeceleration: the deceleration that determines the duration, in px per second
    ///     squared.
    ///   - maximumDuration: the maximum duration, in seconds.
    ///   - firstHandle: the time, as a share, at which the easing's first handle reaches full
    ///     height.
    ///   - secondHandle: the same for the second handle.
    /// - Precondition: all are positive, the handles at most 1.
    package init(
        pixelsPerInch: Double = 96, deceleration: Double = 27.559, maximumViewports: Double = 3,
        timeDeceleration: Double = 2300, maximumDuration: Double = 2,
        firstHandle: Double = 0.2, secondHandle: Double = 0.55
    ) {
        precondition(
            arePositive(
                pixelsPerInch, deceleration, maximumViewports, timeDeceleration, maximumDuration),
            "a fling's constants are positive")
        precondition(
            arePositive(firstHandle, secondHandle) && max(firstHandle, secondHandle) <= 1,
            "an easing's handles lie within its time")
        self.deceleration = deceleration * pixelsPerInch
        self.maximumViewports = maximumViewports
        self.timeDeceleration = timeDeceleration
        self.maximumDuration = maximumDuration
        handles = (firstHandle, secondHandle)
    }

    /// Returns an eased path of at most three viewports and two seconds.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let limit = (viewportHeight * maximumViewports).rounded(.down)
        let way = min(velocity * velocity / (2 * deceleration), limit)
        let duration = min(maximumDuration, abs(velocity) / timeDeceleration)
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
        let fitsBelow = slope * handles.first < 1
        return CubicBezier(
            first: fitsBelow ? (handles.first, handles.first * slope) : (1 / slope, 1),
            second: (handles.second, 1))
    }
}

extension ChromiumPhysicsFling {
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
