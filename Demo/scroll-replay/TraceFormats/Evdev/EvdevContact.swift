/// A finger on a touch panel, as the kernel reports it in one slot.
struct EvdevContact {
    /// The change of a contact in the frame that is being read.
    enum Change {
        case none, landed, lifted
        /// A lift and the landing of another finger, without a frame between them.
        case replaced
    }

    /// The last known position, in units of the panel.
    private(set) var y: Int32?
    private(set) var isDown = false
    private(set) var isPalm = false
    private(set) var change = Change.none
    /// Whether the current frame mentions the contact.
    private(set) var isMentioned = false
    private var identity: Int32 = -1

    mutating func move(to y: Int32) {
        self.y = y
        isMentioned = true
    }

    mutating func mention() { isMentioned = true }

    mutating func become(tool: Int32) {
        isPalm = tool == Evdev.palm
        isMentioned = true
    }

    /// Sets the tracking identity; a negative one means that the finger has lifted.
    mutating func identify(as identity: Int32) {
        isMentioned = true
        if identity < 0 {
            if isDown { change = change == .landed ? .none : .lifted }
            isDown = false
        } else if !isDown {
            change = change == .lifted ? .replaced : .landed
            isDown = true
            isPalm = false
        } else if identity != self.identity {
            change = .replaced
            isPalm = false
        }
        self.identity = identity
    }

    /// Ends the frame.
    mutating func endFrame() {
        change = .none
        isMentioned = false
    }
}
