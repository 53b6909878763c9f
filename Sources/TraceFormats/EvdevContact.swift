/// A finger on a touch panel, as the kernel tells of it in one slot.
struct EvdevContact {
    /// What became of it in the frame that is being read.
    enum Change {
        case none, landed, lifted
        /// It left, and another one came, without a frame between them.
        case replaced
    }

    /// Where it was last, in units of the panel; kept while nothing else is said.
    private(set) var y: Int32?
    private(set) var isDown = false
    private(set) var isPalm = false
    private(set) var change = Change.none
    /// Whether anything was said of it in this frame.
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

    /// Takes its identity: negative when it leaves.
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
    mutating func settle() {
        change = .none
        isMentioned = false
    }
}
