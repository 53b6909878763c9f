public import ImageLoading

/// Commands of kitty's graphics protocol, which some terminals show true pixels by.
///
/// ```swift
/// terminal.write(KittyGraphics.transmit(picture, as: 7, showing: .placeholders(cells)))
/// for line in KittyPlaceholder.lines(of: 7, in: cells) { print(line) }
/// terminal.write(KittyGraphics.delete(7))
/// ```
///
/// All ask the terminal to keep quiet (`q=2`). A picture takes 4 bytes for each 3 of its own: a
/// thumbnail of 256 by 192 pixels is 197 KB in 49 commands. A terminal on the same machine can
/// read it from memory instead, which takes some 90 bytes: see `KittyLocalPicture`.
///
/// Terminals that know nothing of it pass over the commands.
public enum KittyGraphics {
    /// How many characters of data a command bears at most, by the protocol.
    static let chunk = 4096

    /// Hands a picture to the terminal, within the commands themselves.
    ///
    /// - Parameters:
    ///   - picture: The picture, at the size at which it is to be kept.
    ///   - id: What the terminal will know it by, not 0. One that's in use is replaced.
    ///   - showing: Whether and how it's shown at once.
    ///   - ground: What is seen where the picture is transparent; nil to send that too.
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

    /// Shows a picture that the terminal has.
    ///
    /// - Parameters:
    ///   - id: What the terminal knows it by.
    ///   - placement: How it's shown.
    /// - Returns: The command.
    public static func place(_ id: UInt32, _ placement: KittyPlacement) -> [UInt8] {
        check(id)
        return command("a=p,i=\(id),q=2" + placement.keys, [])
    }

    /// Takes a picture away, wherever it's shown, and lets the terminal forget it.
    ///
    /// - Parameter id: What the terminal knows it by.
    /// - Returns: The command.
    public static func delete(_ id: UInt32) -> [UInt8] {
        check(id)
        return command("a=d,d=I,i=\(id),q=2", [])
    }

    /// Takes all pictures away that are on screen at the cursor's own places, not those of
    /// placeholders, and lets the terminal forget them.
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

    /// A command and its data, in as many commands as the data takes.
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
