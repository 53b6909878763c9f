public import ImageLoading
internal import ReplayText

/// Commands of kitty's graphics protocol, by which some terminals show pixels.
///
/// ```swift
/// terminal.write(KittyGraphics.transmit(picture, as: 7, in: cells))
/// …
/// terminal.write(KittyGraphics.delete(7))
/// ```
///
/// The picture is shown in the cells where its placeholders are written; see ``KittyPlaceholder``.
/// Placeholders are text: the picture scrolls, is overwritten and is kept by multiplexers like
/// text. All commands suppress the terminal's responses (`q=2`). A picture takes 4 bytes for each 3
/// of its own: a thumbnail of 256 by 192 pixels is 197 KB in 49 commands.
///
/// Terminals that don't support the protocol ignore the commands.
public enum KittyGraphics {
    /// The maximum number of characters of data in a command, by the protocol.
    private static let chunk = 4096

    /// Returns the commands that transmit a picture to the terminal, with its data.
    ///
    /// - Parameters:
    ///   - picture: The picture, at the size at which it is to be stored.
    ///   - id: The picture's ID in the terminal, not 0; a picture with the same ID is replaced.
    ///   - cells: The size of the whole picture, which keeps its aspect ratio, in placeholders.
    ///   - ground: The background colour where the picture is transparent.
    /// - Returns: The commands, one for each 4096 characters. No other command may come between.
    public static func transmit(
        _ picture: Picture, as id: UInt32, in cells: CellSize, over ground: TerminalColor = .black
    ) -> [UInt8] {
        check(id)
        let (size, places) = (picture.size, 1...KittyPlaceholder.places)
        precondition(
            size.width > 0 && size.height > 0, "a terminal shows pictures that have pixels")
        precondition(
            places.contains(cells.columns) && places.contains(cells.lines),
            "a picture is shown in 1 to 297 cells a side")
        let keys =
            "a=T,f=24,s=\(size.width),v=\(size.height),i=\(id),q=2"
            + ",U=1,c=\(cells.columns),r=\(cells.lines)"
        return command(keys, Base64.encoded(picture.opaqueBytes(over: ground)))
    }

    /// Returns the command that removes a picture from the screen and from the terminal's memory.
    ///
    /// - Parameter id: The picture's ID in the terminal.
    /// - Returns: The command.
    public static func delete(_ id: UInt32) -> [UInt8] {
        check(id)
        return command("a=d,d=I,i=\(id),q=2", [])
    }

    /// Returns a command with its data, split into as many commands as the data needs.
    private static func command(_ keys: String, _ data: [UInt8]) -> [UInt8] {
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
