import ScrollModel

@testable import GalleryKit

// Short names for the inputs that pages report.
extension ScrollReport.Input {
    static func frame(offset: Double) -> Self { Self(event: .frame, offset: offset) }
    static func down(y: Double, offset: Double) -> Self {
        Self(event: .down(y: y), offset: offset)
    }
    static func moved(y: Double) -> Self { Self(event: .moved(y: y)) }
    static func up(y: Double) -> Self { Self(event: .up(y: y)) }
    static var cancelled: Self { Self(event: .cancelled) }
    static var wheel: Self { Self(event: .wheel) }
    static var key: Self { Self(event: .key) }
    static var jumpBegan: Self { Self(event: .jumpBegan(target: 0)) }
    static var jumpEnded: Self { Self(event: .jumpEnded) }
}
