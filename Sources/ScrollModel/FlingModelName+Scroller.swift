extension FlingModelName {
    /// How this platform makes a release velocity of a finger's samples.
    package var tracking: VelocityTracker.Configuration {
        switch self {
        case .chromium, .chromiumLegacy, .linear: .chromium
        case .uiKit, .uiKitFast: .iOS
        case .android, .flutter: .android
        case .gtk: .gtk
        case .qt: .qt
        }
    }

    /// The model with its platform's constants, but for a brake so many times as hard.
    ///
    /// That is the one number that hosts and screens change: Qt's deceleration, the friction of
    /// Android, Flutter and GTK, the density on which the brakes of Android and Chromium depend,
    /// the exponent of UIKit; ChromeOS's curve is made shorter in way and time. A harder brake never makes a fling longer.
    ///
    /// - Precondition: the brake is positive and finite.
    package func model(brake: Double) -> any FlingModel {
        precondition(brake > 0 && brake.isFinite, "a brake is positive and finite")
        if brake == 1 { return model }
        return switch self {
        case .chromium: ChromiumPhysicsFling(deceleration: 27.559 * brake)
        case .chromiumLegacy: ChromiumLegacyFling(reach: 5707.62 / brake, decay: 3.7 * brake)
        case .uiKit: ExponentialFling.braked(0.998, times: brake)
        case .uiKitFast: ExponentialFling.braked(0.99, times: brake)
        case .android: AndroidSplineFling(friction: 0.015 * brake)
        case .flutter: FlutterFling(friction: 0.015 * brake)
        case .gtk: GTKFling(friction: 4 * brake)
        case .qt: QtFling(deceleration: 1500 * brake)
        case .linear: LinearFling(horizon: 1 / brake)
        }
    }
}
