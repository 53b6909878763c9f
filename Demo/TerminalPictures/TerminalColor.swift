/// A colour of a terminal's cell, with eight bits for each of red, green and blue.
public struct TerminalColor: Hashable, Sendable {
    /// The red component.
    public var red: UInt8
    /// The green component.
    public var green: UInt8
    /// The blue component.
    public var blue: UInt8

    /// Creates a colour from its components.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour black, the background of most terminals.
    public static let black = TerminalColor(0, 0, 0)
    /// The colour white.
    public static let white = TerminalColor(255, 255, 255)

    /// The luminance, from 0 to 255.
    var luminance: Int { (2126 * Int(red) + 7152 * Int(green) + 722 * Int(blue) + 5000) / 10_000 }

    /// The index of the nearest of the 240 palette colours that are the same in every terminal.
    ///
    /// They are a cube of six levels for each component, from index 16 on, and 24 greys, from index
    /// 232 on.
    public var indexed: UInt8 {
        let levels = [red, green, blue].map { Self.level(nearest: Int($0)) }
        let cube = levels.map { Self.levels[$0] }
        let mean = (Int(red) + Int(green) + Int(blue)) / 3
        let step = max(0, min(23, (mean - 3) / 10))
        let grey = 8 + 10 * step
        if distance(to: [grey, grey, grey]) < distance(to: cube) { return UInt8(232 + step) }
        return UInt8(16 + 36 * levels[0] + 6 * levels[1] + levels[2])
    }

    private static let levels = [0, 95, 135, 175, 215, 255]

    private static func level(nearest value: Int) -> Int {
        value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40
    }

    private func distance(to other: [Int]) -> Int {
        zip([red, green, blue], other).reduce(0) { sum, pair in
            let gap = Int(pair.0) - pair.1
            return sum + gap * gap
        }
    }
}
