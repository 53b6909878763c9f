internal import LullLibC

/// The platforms with known scrollers, with their names in command lines and settings.
///
/// ```swift
/// FlingModelName(rawValue: "uikit-fast").map { Scroller($0) }
/// ```
public enum FlingModelName: String, CaseIterable, Sendable {
    /// Chromium on Linux and Windows.
    case chromium
    /// Chromium's touchpads and ChromeOS.
    case chromiumLegacy = "chromium-legacy"
    /// UIKit's normal deceleration.
    case uiKit = "uikit"
    /// UIKit's fast deceleration.
    case uiKitFast = "uikit-fast"
    /// Android.
    case android
    /// Flutter on Android.
    case flutter
    /// GTK at 60 Hz.
    case gtk
    /// Qt Quick.
    case qt

    /// The way in which this platform computes a release velocity from touch samples.
    package var tracking: VelocityTracker.Configuration {
        switch self {
        case .chromium, .chromiumLegacy: .chromium
        case .uiKit, .uiKitFast: .iOS
        case .android: .android
        case .flutter: .flutter
        case .gtk: .gtk
        case .qt: .qt
        }
    }

    /// Returns the model with its platform's constants, with the brake multiplied by a factor.
    ///
    /// The brake is the one parameter that hosts and screens change: Qt's deceleration, the
    /// friction of Android, Flutter and GTK, the density on which the decelerations of Android and
    /// Chromium depend, the exponent of UIKit; for ChromeOS the curve is made shorter in distance
    /// and time. A harder brake never makes a fling longer.
    ///
    /// - Precondition: `brake` is positive and finite.
    package func model(brake: Double = 1) -> any FlingModel {
        precondition(brake > 0 && brake.isFinite, "a brake is positive and finite")
        return switch self {
        case .chromium: ChromiumPhysicsFling(brake: brake)
        case .chromiumLegacy: ChromiumLegacyFling(brake: brake)
        case .uiKit: ExponentialFling(keptPerMillisecond: 0.998, brake: brake)
        case .uiKitFast: ExponentialFling(keptPerMillisecond: 0.99, brake: brake)
        case .android: AndroidSplineFling(brake: brake)
        case .flutter: FlutterFling(brake: brake)
        case .gtk: GTKFling(brake: brake)
        case .qt: QtFling(brake: brake)
        }
    }
}
