/// A wrapper that passes commands through tmux to the terminal in which it runs.
///
/// tmux passes them on if its option `allow-passthrough` is on. Placeholders don't need it, because
/// they are text to tmux.
public enum TmuxPassthrough {
    /// Returns the commands, each in an escape sequence of tmux, which adds at least 10 bytes to
    /// each.
    ///
    /// - Parameter commands: Complete commands, each ended by `ESC \`.
    /// - Returns: The bytes to write to tmux.
    public static func wrapped(_ commands: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(commands.count + commands.count / 256)
        var isOpen = false
        var isAfterEscape = false
        for byte in commands {
            if !isOpen {
                bytes += Array("\u{1B}Ptmux;".utf8)
                isOpen = true
            }
            if byte == 0x1B { bytes.append(0x1B) }
            bytes.append(byte)
            if isAfterEscape, byte == 0x5C {
                bytes += [0x1B, 0x5C]
                isOpen = false
            }
            isAfterEscape = byte == 0x1B
        }
        if isOpen { bytes += [0x1B, 0x5C] }
        return bytes
    }
}
