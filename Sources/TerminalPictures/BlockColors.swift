/// What half blocks are coloured with, from the best that a terminal may have to none.
public enum BlockColors: Hashable, Sendable {
    /// All colours: 24 bits.
    case full
    /// The 240 that have a number.
    case indexed
    /// None: characters as light as the picture, `░▒▓█`, one for two pixels.
    case shades
    /// None, and no characters beyond ASCII.
    case ascii
}
