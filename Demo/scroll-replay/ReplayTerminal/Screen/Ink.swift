package import TerminalPictures

/// A colour of the screen.
package typealias Ink = TerminalColor

extension Ink {
    /// The luminance, from 0 to 1.
    var luminance: Double {
        (0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)) / 255
    }

    /// The index in the fixed palette of 240 colours: a grey if the components are nearly equal,
    /// otherwise the colour with the nearest level of each component.
    var paletteIndex: Int {
        func level(_ value: UInt8) -> Int {
            value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
        }
        let spread = Int(max(red, green, blue)) - Int(min(red, green, blue))
        let mean = (Int(red) + Int(green) + Int(blue)) / 3
        if spread < 12, (8...238).contains(mean) { return 232 + (mean - 8) * 23 / 230 }
        return 16 + 36 * level(red) + 6 * level(green) + level(blue)
    }
}

// Blue and orange are distinct for people with red-green colour blindness.
extension Ink {
    /// The colour of secondary text.
    package static let dim = Ink(138, 138, 148)
    /// The colour of success.
    package static let good = Ink(86, 180, 233)
    /// The colour of a warning.
    package static let warm = Ink(230, 159, 0)
    /// The colour of what is late or has failed.
    package static let bad = Ink(240, 90, 60)
    /// The background of bars and of rows that aren't loaded.
    package static let ground = Ink(52, 54, 62)
    /// The background of a row's text.
    package static let paper = Ink(30, 31, 37)
    /// The colour of plain text on one of these backgrounds.
    package static let text = Ink(222, 222, 226)

    /// Returns a row's colour, always the same and unlike its neighbours'.
    package static func ofRow(_ row: Int) -> Ink {
        let hue = Double((row * 137) % 360) / 60
        let x = 1 - abs(hue.truncatingRemainder(dividingBy: 2) - 1)
        let parts: (Double, Double, Double) =
            switch Int(hue) {
            case 0: (1, x, 0)
            case 1: (x, 1, 0)
            case 2: (0, 1, x)
            case 3: (0, x, 1)
            case 4: (x, 0, 1)
            default: (1, 0, x)
            }
        func byte(_ part: Double) -> UInt8 { UInt8(60 + 150 * part) }
        return Ink(byte(parts.0), byte(parts.1), byte(parts.2))
    }

    /// Returns this colour, darker or brighter.
    package func scaled(_ factor: Double) -> Ink {
        func byte(_ value: UInt8) -> UInt8 { UInt8(max(0, min(255, Double(value) * factor))) }
        return Ink(byte(red), byte(green), byte(blue))
    }
}

/// The number of colours of a terminal.
package enum InkDepth: Sendable {
    /// No colours; everything shown by colour is also shown in another way.
    case none
    /// The 240 numbered colours.
    case indexed
    /// All colours.
    case full
}
