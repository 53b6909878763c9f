internal import LullLibC

/// Chromium's older fling, still used on ChromeOS and for touchpads: the last part of one fixed
/// curve.
///
/// There is one master curve, P(t) = d·(1 − e^(−g·t)) − b·t with d = 5707.62 px, g = 3.7/s and b =
/// 172 px/s, 1.3 s long. A fling enters it where its speed P′ equals the release velocity, and
/// follows it to the end; above the curve's maximum speed of 20 946 px/s the distance is scaled up.
/// (Chromium, ui/events/gestures/fling_curve.cc, whose alpha, beta and gamma these are.)
package struct ChromiumLegacyFling: FlingModel {
    private let master: Master

    /// A fling with Chromium's constants; a brake makes the curve shorter in distance and time.
    package init(brake: Double = 1) {
        master = Master(reach: 5707.62 / brake, drag: 172, decay: 3.7 * brake)
    }

    /// Returns the part of the master curve from the point at which its speed is that of the
    /// release.
    package func curve(
        from start: Double, velocity: Double, viewportHeight: Double
    ) -> any FlingCurve {
        let speed = min(abs(velocity), master.velocity(at: 0))
        return Curve(
            master: master,
            entry: master.time(atVelocity: speed),
            scale: speed > 0 ? velocity / speed : 0)
    }

    /// Returns the sum of both: Chromium adds the release velocity of a running fling to the next
    /// one.
    package func flywheelVelocity(_ velocity: Double, by flywheel: Flywheel) -> Double {
        velocity * flywheel.fling.velocity > 0 ? velocity + flywheel.fling.velocity : velocity
    }

    private struct Master {
        let reach: Double
        let drag: Double
        let decay: Double

        func position(at time: Double) -> Double {
            -reach * expm1(-decay * time) - drag * time
        }

        func velocity(at time: Double) -> Double {
            reach * decay * exp(-decay * time) - drag
        }

        func time(atVelocity velocity: Double) -> Double {
            -log((velocity + drag) / (reach * decay)) / decay
        }
    }

    private struct Curve: FlingCurve {
        let master: Master
        let entry: Double
        let scale: Double

        var distance: Double { distance(at: duration) }

        var duration: Double { master.time(atVelocity: 0) - entry }

        func distance(at time: Double) -> Double {
            scale * (master.position(at: entry + time) - master.position(at: entry))
        }

        func velocity(at time: Double) -> Double {
            scale * master.velocity(at: entry + time)
        }
    }
}
