/// The colours of half blocks, from the most to the least capable terminals.
public enum BlockColors: Hashable, Sendable {
    /// True colour: 24 bits.
    case full
    /// The 240 fixed colours of the indexed palette.
    case indexed
    /// No colours: shaded characters `░▒▓█` of the same brightness, one for two pixels.
    case shades
    /// No colours, and only ASCII characters.
    case ascii
}
