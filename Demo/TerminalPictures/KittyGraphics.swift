public import ImageLoading

/// Commands of kitty's graphics protocol, by which some terminals show pixels.
///
/// ```swift
/// terminal.write(KittyGraphics.transmit(picture, as: 7, showing: .placeholders(cells)))
/// for line in KittyPlaceholder.lines(of: 7, in: cells) { print(line) }
/// terminal.write(KittyGraphics.delete(7))
/// ```
///
/// All commands suppress the terminal's responses (`q=2`). A picture takes 4 bytes for each 3 of
/// its own: a thumbnail of 256 by 192 pixels is 197 KB in 49 commands. A terminal on the same
/// machine can read it from memory instead, which takes about 90 bytes; see `KittyLocalPicture`.
///
/// Terminals that don't support the protocol ignore the commands.
public enum KittyGraphics {
    /// The maximum number of characters of data in a command, by the protocol.
    static let chunk = 4096

    /// Returns the commands that transmit a picture to the terminal, with its data.
    ///
    /// - Parameters:
    ///   - picture: The picture, at the size at which it is to be stored.
    ///   - id: The picture's ID in the terminal, not 0; a picture with the same ID is replaced.
    ///   - showing: The placement in which the picture is shown immediately, if any.
    ///   - ground: The background colour where the picture is transparent; nil to send the alpha
    ///     channel.
    /// - Returns: The commands, one for each 4096 characters. No other command may come between.
    public static func transmit(
        _ picture: Picture, as id: UInt32, showing: KittyPlacement = .hidden,
        over ground: TerminalColor? = nil
    ) -> [UInt8] {
        let isOpaque = ground != nil || picture.isOpaque
        let bytes = isOpaque ? picture.opaqueBytes(over: ground ?? .black) : picture.straightBytes
        let keys = keys(of: picture.size, isOpaque: isOpaque, as: id, showing: showing)
        return command(keys, Base64.encoded(bytes))
    }

    /// Returns the command that shows a picture that the terminal has stored.
    ///
    /// - Parameters:
    ///   - id: The picture's ID in the terminal.
    ///   - placement: The placement.
    /// - Returns: The command.
    public static func place(_ id: UInt32, _ placement: KittyPlacement) -> [UInt8] {
        check(id)
        return command("a=p,i=\(id),q=2" + placement.keys, [])
    }

    /// Returns the command that removes a picture from the screen and from the terminal's memory.
    ///
    /// - Parameter id: The picture's ID in the terminal.
    /// - Returns: The command.
    public static func delete(_ id: UInt32) -> [UInt8] {
        check(id)
        return command("a=d,d=I,i=\(id),q=2", [])
    }

    /// The command that removes all pictures that are shown on screen, except those in
    /// placeholders, and frees their memory in the terminal.
    public static var deleteAllShown: [UInt8] { command("a=d,d=A,q=2", []) }

    static func keys(
        of size: PixelSize, isOpaque: Bool, as id: UInt32, showing: KittyPlacement
    ) -> String {
        check(id)
        precondition(
            size.width > 0 && size.height > 0, "a terminal shows pictures that have pixels")
        let action = showing == .hidden ? "t" : "T"
        return "a=\(action),f=\(isOpaque ? 24 : 32),s=\(size.width),v=\(size.height),i=\(id),q=2"
            + showing.keys
    }

    /// Returns a command with its data, split into as many commands as the data needs.
    static func command(_ keys: String, _ data: [UInt8]) -> [UInt8] {
        let count = max(1, (data.count + chunk - 1) / chunk)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 12 * count + keys.utf8.count)
        for index in 0..<count {
            bytes += [0x1B, 0x5F, 0x47]
            if index == 0 { bytes += Array(keys.utf8) }
            if count > 1 {
                let isLast = index == count - 1
                bytes += Array(((index == 0 ? "," : "") + (isLast ? "m=0" : "m=1")).utf8)
            }
            if !data.isEmpty {
                bytes.append(0x3B)
                bytes += data[index * chunk..<min(data.count, (index + 1) * chunk)]
            }
            bytes += [0x1B, 0x5C]
        }
        return bytes
    }

    private static func check(_ id: UInt32) {
        precondition(id > 0, "a terminal knows a picture by a number that is not 0")
    }
}
