/// Hands commands through tmux to the terminal that it runs in.
///
/// tmux passes them on where its option `allow-passthrough` is on. Placeholders need nothing of
/// the kind: to tmux they are text.
public enum TmuxPassthrough {
    /// The same commands in tmux's envelopes, one for each, which adds 10 bytes and more to each.
    ///
    /// - Parameter commands: Whole commands, each ended by `ESC \`.
    /// - Returns: What to write to tmux.
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
