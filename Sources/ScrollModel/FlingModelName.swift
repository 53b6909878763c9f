/// The platforms whose scrollers are known, by the names that command lines and settings use.
///
/// ```swift
/// FlingModelName(rawValue: "uikit-fast").map { Scroller($0) }
/// ```
public enum FlingModelName: String, CaseIterable, Sendable {
    /// Chromium on Linux and Windows: ``ChromiumPhysicsFling``.
    case chromium
    /// Chromium's touchpads and ChromeOS: ``ChromiumLegacyFling``.
    case chromiumLegacy = "chromium-legacy"
    /// UIKit's normal deceleration: ``ExponentialFling/uiKit``.
    case uiKit = "uikit"
    /// UIKit's fast deceleration: ``ExponentialFling/uiKitFast``.
    case uiKitFast = "uikit-fast"
    /// Android: ``AndroidSplineFling``.
    case android
    /// Flutter on Android: ``FlutterFling``.
    case flutter
    /// GTK at 60 Hz: ``GTKFling``.
    case gtk
    /// Qt Quick: ``QtFling``.
    case qt
    /// Straight on: ``LinearFling``.
    case linear

    /// The model with its platform's constants; filling Android's table takes some microseconds.
    package var model: any FlingModel {
        switch self {
        case .chromium: ChromiumPhysicsFling()
        case .chromiumLegacy: ChromiumLegacyFling()
        case .uiKit: ExponentialFling.uiKit
        case .uiKitFast: ExponentialFling.uiKitFast
        case .android: AndroidSplineFling()
        case .flutter: FlutterFling()
        case .gtk: GTKFling()
        case .qt: QtFling()
        case .linear: LinearFling()
        }
    }
}
