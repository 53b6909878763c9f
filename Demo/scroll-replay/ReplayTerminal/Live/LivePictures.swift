internal import ImageLoading
internal import TerminalPictures

/// The cache of pictures encoded for the screen, one encoding for each picture and size.
///
/// Pictures are encoded as the pixels of half blocks, or, for terminals with kitty's graphics, as
/// commands that are sent once. The number of cached encodings is limited; those on screen are
/// always kept.
package final class LivePictures {
    /// The method by which rows' pictures are shown.
    package enum Method: Equatable, Sendable {
        /// Pictures are not shown.
        case none
        /// Half blocks.
        case blocks
        /// Kitty's graphics, with placeholders in the text.
        case kitty
    }

    private struct Request: Hashable {
        let picture: ObjectIdentifier
        let width: Int
        let height: Int
        let isSent: Bool
    }

    private struct Entry {
        /// The picture, retained so that no other picture gets its identity.
        let picture: LivePicture
        var frame: Int
        /// The colours of its pixels; empty if it was sent as a command.
        var inks: [Ink] = []
        /// The terminal's number for it; 0 if it has none.
        var id: UInt32 = 0
    }

    /// The method by which pictures are shown; changing it discards all that was sent.
    package var method: Method {
        didSet { if method != oldValue { forgetSent() } }
    }
    /// The number of times that a picture was encoded.
    package private(set) var encodings = 0

    /// Whether pictures of the last frame remain to be sent.
    package private(set) var isBehind = false

    private let capacity: Int
    private let bytesPerFrame: Int
    private var entries: [Request: Entry] = [:]
    private var frame = 0
    private var commands: [UInt8] = []
    private var hasRefused = false
    private var freeIDs: [UInt32]

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - method: The method by which pictures are shown.
    ///   - capacity: The maximum number of encodings kept besides those on screen; 250 at most.
    ///   - bytesPerFrame: The approximate number of bytes sent between two frames.
    ///   - firstID: The least number that is used for a picture in the terminal.
    package init(
        _ method: Method = .blocks, capacity: Int = 250, bytesPerFrame: Int = 128 << 10,
        firstID: UInt32 = 1
    ) {
        precondition((1...250).contains(capacity), "1 to 250 encodings are kept")
        self.method = method
        self.capacity = capacity
        self.bytesPerFrame = bytesPerFrame
        freeIDs = (firstID..<firstID + 254).reversed()
    }

    /// Returns the pixels of a picture, cropped to its middle and scaled to a size, row by row, on
    /// the background of a row.
    func inks(of picture: LivePicture, width: Int, height: Int) -> [Ink] {
        let request = Request(
            picture: ObjectIdentifier(picture), width: width, height: height, isSent: false)
        if let known = entries[request] {
            entries[request]?.frame = frame
            return known.inks
        }
        encodings += 1
        let small = picture.picture.averaged(
            to: PixelSize(width: width, height: height), isFilled: true)
        let inks = HalfBlocks(small, over: .paper).colors
        entries[request] = Entry(picture: picture, frame: frame, inks: inks)
        return inks
    }

    /// Returns the terminal's number for a picture, cropped to its middle to fill `cells`.
    ///
    /// Nil if it has none yet, because enough bytes were already sent before this frame.
    func id(of picture: LivePicture, in cells: CellSize) -> UInt32? {
        let request = Request(
            picture: ObjectIdentifier(picture), width: cells.columns, height: cells.lines,
            isSent: true)
        if let known = entries[request] {
            entries[request]?.frame = frame
            return known.id
        }
        guard commands.count < bytesPerFrame else {
            hasRefused = true
            return nil
        }
        guard let id = freeIDs.popLast() else { return nil }
        encodings += 1
        commands += KittyGraphics.transmit(
            picture.picture.cut(for: cells), as: id, in: cells, over: .paper)
        entries[request] = Entry(picture: picture, frame: frame, id: id)
        return id
    }

    /// Returns the bytes to send before the frame that was drawn last, and ends that frame.
    package func takeCommands() -> [UInt8] {
        evict()
        frame += 1
        isBehind = hasRefused
        hasRefused = false
        defer { commands = [] }
        return commands
    }

    /// Discards all that was sent, for when the terminal must forget it or has been cleared.
    package func forgetSent() {
        for (request, entry) in entries where request.isSent { remove(request, entry) }
    }

    private func evict() {
        let excess = entries.count - capacity
        guard excess > 0 else { return }
        let unseen = entries.filter { $0.value.frame != frame }
        for (request, entry) in unseen.sorted(by: { $0.value.frame < $1.value.frame })
            .prefix(excess)
        {
            remove(request, entry)
        }
    }

    private func remove(_ request: Request, _ entry: Entry) {
        entries[request] = nil
        guard entry.id > 0 else { return }
        commands += KittyGraphics.delete(entry.id)
        freeIDs.append(entry.id)
    }
}

extension Picture {
    /// Returns the middle in the shape of some cells, at no higher resolution than they can show.
    fileprivate func cut(for cells: CellSize) -> Picture {
        let (width, height) = (cells.columns, 2 * cells.lines)
        // A cell has about 10 by 20 pixels.
        let scale = min(
            10, Double(size.width) / Double(width), Double(size.height) / Double(height))
        func length(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded(.down))) }
        return averaged(
            to: PixelSize(width: length(width), height: length(height)), isFilled: true)
    }
}
