internal import ImageLoading
internal import TerminalPictures

/// What was made of pictures for the screen: each is encoded once for each size.
///
/// As pixels of half blocks, and for terminals with kitty's graphics as commands, which are sent
/// once. Only so many are kept; those on screen always are.
package final class LivePictures {
    /// How rows' pictures are shown.
    package enum Way: Equatable, Sendable {
        /// Not at all.
        case none
        /// As half blocks.
        case blocks
        /// By kitty's graphics, with placeholders in the text.
        case kitty
    }

    private struct Request: Hashable {
        let picture: ObjectIdentifier
        let width: Int
        let height: Int
        let isSent: Bool
    }

    private struct Entry {
        /// Kept, so that no other picture gets its identity.
        let picture: LivePicture
        var frame: Int
        /// The colours of its pixels; none if it was sent.
        var inks: [Ink] = []
        /// What the terminal knows it by; 0 if it doesn't.
        var id: UInt32 = 0
    }

    /// How pictures are shown; a change lets go of all that was sent.
    package var way: Way {
        didSet { if way != oldValue { forgetSent() } }
    }
    /// How many times a picture was encoded.
    package private(set) var encodings = 0

    /// Whether pictures of the last frame are still to be sent.
    package private(set) var isBehind = false

    private let capacity: Int
    private let bytesPerFrame: Int
    private var entries: [Request: Entry] = [:]
    private var frame = 0
    private var commands: [UInt8] = []
    private var hasRefused = false
    private var freeIDs: [UInt32]

    /// Nothing made yet.
    ///
    /// - Parameters:
    ///   - way: How pictures are shown.
    ///   - capacity: How many encodings are kept, besides those on screen; 250 at most.
    ///   - bytesPerFrame: About how much is sent between two frames.
    ///   - firstID: The least number that the terminal will know a picture by.
    package init(
        _ way: Way = .blocks, capacity: Int = 250, bytesPerFrame: Int = 128 << 10,
        firstID: UInt32 = 1
    ) {
        precondition((1...250).contains(capacity), "1 to 250 encodings are kept")
        self.way = way
        self.capacity = capacity
        self.bytesPerFrame = bytesPerFrame
        freeIDs = (firstID..<firstID + 254).reversed()
    }

    /// The picture's pixels at a size, its middle cut out to fit, row by row on a row's paper.
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
        let paper = TerminalColor(Ink.paper.red, Ink.paper.green, Ink.paper.blue)
        let inks = HalfBlocks(small, over: paper).colors.map { Ink($0.red, $0.green, $0.blue) }
        entries[request] = Entry(picture: picture, frame: frame, inks: inks)
        return inks
    }

    /// What the terminal knows a picture by, its middle cut out for so many cells.
    ///
    /// Nil if it doesn't yet, because enough was sent already before this frame.
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
            picture.picture.cut(for: cells), as: id, showing: .placeholders(cells),
            over: TerminalColor(Ink.paper.red, Ink.paper.green, Ink.paper.blue))
        entries[request] = Entry(picture: picture, frame: frame, id: id)
        return id
    }

    /// What is to be sent before the frame that was drawn last; ends that frame.
    package func takeCommands() -> [UInt8] {
        evict()
        frame += 1
        isBehind = hasRefused
        hasRefused = false
        defer { commands = [] }
        return commands
    }

    /// Lets go of all that was sent: the terminal is to forget it, or has been cleared.
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
    /// The middle in the shape of some cells, with as many pixels as are of use there.
    fileprivate func cut(for cells: CellSize) -> Picture {
        let (width, height) = (cells.columns, 2 * cells.lines)
        // A cell has some 10 by 20 pixels.
        let scale = min(
            10, Double(size.width) / Double(width), Double(size.height) / Double(height))
        func length(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded(.down))) }
        return averaged(
            to: PixelSize(width: length(width), height: length(height)), isFilled: true)
    }
}
