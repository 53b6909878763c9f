/// What a list does when its fling meets an end of the content.
///
/// Either way the list comes to rest at the end, and ``Fling/offset(at:)`` stays there from
/// ``Fling/duration`` on. How far it is drawn beyond, and for how long, says
/// ``Fling/overscroll(at:)``.
package enum FlingEdge: Sendable, Equatable {
    /// It stops at once, as in Chromium, WebKitGTK and most lists on Android.
    case stop
    /// It swings out and back on a spring, as on iOS, in Flutter there, and in GTK.
    case spring(EdgeSpring)
    /// It brakes beyond the end and is then led back, as on Android and in Qt Quick.
    case brake(EdgeBrake)

    /// The motion of a list that meets the end with a velocity, in px per second; nil if it stops.
    func motion(velocity: Double) -> (any EdgeMotion)? {
        guard velocity != 0 else { return nil }
        return switch self {
        case .stop: nil
        case .spring(let spring): spring.motion(velocity: velocity)
        case .brake(let brake): brake.motion(velocity: velocity)
        }
    }
}

/// How far a list is beyond its end, in px and seconds since it met it.
protocol EdgeMotion: Sendable {
    /// When it is back.
    var duration: Double { get }

    /// How far out it is, with the sign of the velocity it came with.
    func overscroll(at time: Double) -> Double
}
