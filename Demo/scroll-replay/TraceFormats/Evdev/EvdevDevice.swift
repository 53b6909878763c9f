import LullTesting
import ScrollModel

/// One device's events converted to touches, wheel turns and keys, frame by frame.
///
/// On a touchscreen, the first finger that lands is followed; others are ignored until it has
/// lifted. On a touchpad, two or more fingers are followed as one, and a single one is no input. A
/// device that hasn't reported which it is is a touchpad if it has keys that count fingers; some
/// touchscreens have the key of one finger, beside that of a touch.
/// After the kernel has dropped events, everything up to the next frame is ignored.
struct EvdevDevice {
    /// The axis of fingers in slots; `singleAxis` is that of a device with a single touch.
    var axis = EvdevAxis()
    var singleAxis = EvdevAxis()
    /// The meaning of the fingers, if the device has reported it.
    var surface: EvdevSurface?
    /// The meaning of the fingers, as reported or else by the events so far.
    var kind: EvdevSurface {
        if let surface { return surface }
        let isTouched = hasSlots && hasTouchKey
        return mostFingers > (isTouched ? 1 : 0) ? .touchpad : .touchscreen
    }

    /// The number of times the kernel's buffer overflowed.
    private(set) var gaps = 0

    private var contacts: [EvdevContact] = []
    private var slot = 0
    private var followed: Int?
    // The place at which the followed finger was last, and its distance from the contact's: when
    // another finger of a touchpad takes over, the place stays.
    private var place: Int64 = 0
    private var shift: Int64 = 0
    // The number of fingers on a touchpad, as its keys report it.
    private var fingers = 0
    private var mostFingers = 0
    private var hasTouchKey = false
    private var hasSlots = false
    private var hasFineWheel = false
    private var isDiscarding = false
    // State of the frame that is being read.
    private var fineWheel: Int64 = 0
    private var wheel: Int64 = 0
    private var keys = 0
    private var present: Set<Int>?

    /// Takes an event; at the end of a frame, returns the frame's inputs.
    mutating func take(_ event: EvdevEvent, _ options: TraceFileOptions) -> [Trace.Event] {
        if event.type == Evdev.syn {
            switch event.code {
            case Evdev.report: return endFrame(at: event.time, options)
            case Evdev.dropped: drop()
            case Evdev.contactEnd: endContact()
            default: break
            }
        } else if !isDiscarding {
            note(event)
        }
        return []
    }

    /// The axis along which the fingers move, once there are any.
    var usedAxis: EvdevAxis? {
        guard contacts.contains(where: { $0.y != nil }) else { return nil }
        return hasSlots ? axis : singleAxis
    }

    private mutating func note(_ event: EvdevEvent) {
        switch (event.type, event.code) {
        case (Evdev.abs, Evdev.slot):
            hasSlots = true
            slot = Int(event.value)
        case (Evdev.abs, Evdev.contact):
            hasSlots = true
            change(slot) { contact in
                switch event.code {
                case Evdev.positionY: contact.move(to: event.value)
                case Evdev.toolType: contact.become(tool: event.value)
                case Evdev.trackingID: contact.identify(as: event.value)
                default: contact.mention()
                }
            }
        case (Evdev.abs, Evdev.y) where !hasSlots: change(0) { $0.move(to: event.value) }
        case (Evdev.abs, 0) where !hasSlots: change(0) { $0.mention() }
        case (Evdev.key, Evdev.touch):
            hasTouchKey = true
            if !hasSlots { change(0) { $0.identify(as: event.value == 0 ? -1 : 0) } }
        case (Evdev.key, _) where Evdev.fingers[event.code] != nil:
            let count = Evdev.fingers[event.code] ?? 0
            mostFingers = max(mostFingers, count)
            if event.value > 0 { fingers = count } else if fingers == count { fingers = 0 }
        case (Evdev.key, _) where event.value > 0 && Evdev.scrollKeys.contains(event.code):
            keys += 1
        case (Evdev.rel, Evdev.wheel): wheel += Int64(event.value)
        case (Evdev.rel, Evdev.wheelHighResolution):
            hasFineWheel = true
            fineWheel += Int64(event.value)
        default: break
        }
    }

    /// Changes a contact; slots beyond those of any panel are ignored.
    private mutating func change(_ slot: Int, _ body: (inout EvdevContact) -> Void) {
        guard (0..<256).contains(slot) else { return }
        while contacts.count <= slot { contacts.append(EvdevContact()) }
        body(&contacts[slot])
    }

    private mutating func drop() {
        gaps += 1
        isDiscarding = true
        resetFrame()
    }

    /// Ends a contact of a panel that has no slots and reports all its contacts in each frame.
    private mutating func endContact() {
        guard !isDiscarding else { return }
        hasSlots = true
        if present == nil { present = [] }
        guard contacts.indices.contains(slot), contacts[slot].isMentioned else { return }
        if !contacts[slot].isDown { contacts[slot].identify(as: 0) }
        present?.insert(slot)
        slot += 1
    }

    private mutating func endFrame(at time: Instant, _ options: TraceFileOptions) -> [Trace.Event] {
        defer { resetFrame() }
        if isDiscarding {
            isDiscarding = false
            return []
        }
        if let present {
            for index in contacts.indices where !present.contains(index) {
                contacts[index].identify(as: -1)
            }
        }
        var inputs = kind == .touchpad ? scroll(options) : touch(options)
        if hasFineWheel, fineWheel != 0 {
            inputs.append(.wheel(dy: -Double(fineWheel) / 120 * options.notch))
        } else if !hasFineWheel, wheel != 0 {
            inputs.append(.wheel(dy: -Double(wheel) * options.notch))
        }
        inputs += repeatElement(.key, count: min(keys, 16))
        return inputs.map { Trace.Event(time: time, $0) }
    }

    /// Returns the inputs of the finger that is followed, or of one that is followed from now on.
    private mutating func touch(_ options: TraceFileOptions) -> [Trace.Input] {
        var inputs: [Trace.Input] = []
        if let index = followed, let y = contacts[index].y {
            let contact = contacts[index]
            place = Int64(y)
            switch contact.change {
            case .lifted: inputs.append(lift(isPalm: contact.isPalm, options))
            case .replaced: inputs.append(lift(isPalm: true, options))
            case .none where contact.isMentioned: inputs.append(.move(y: pixels(options)))
            case .none, .landed: break
            }
        }
        guard followed == nil else { return inputs }
        let landed = contacts.firstIndex {
            $0.isDown && ($0.change == .landed || $0.change == .replaced) && $0.y != nil
        }
        if let landed, let y = contacts[landed].y {
            followed = landed
            place = Int64(y)
            inputs.append(.down(y: pixels(options)))
        }
        return inputs
    }

    /// Returns the inputs of two or more fingers on a touchpad: the movement of one of them.
    private mutating func scroll(_ options: TraceFileOptions) -> [Trace.Input] {
        let palms = contacts.count { $0.isDown && $0.isPalm }
        let isScrolling = max(contacts.count(where: \.isDown), fingers) - palms >= 2
        let first = contacts.firstIndex { $0.isDown && !$0.isPalm && $0.y != nil }
        guard isScrolling, let first, let y = contacts[first].y else {
            return followed.map { [lift(isPalm: contacts[$0].isPalm, options)] } ?? []
        }
        guard let index = followed else {
            followed = first
            shift = 0
            place = Int64(y)
            return [.down(y: pixels(options))]
        }
        let contact = contacts[index]
        guard contact.isDown, !contact.isPalm, contact.change == .none, let y = contact.y else {
            followed = first
            shift = place - Int64(y)
            return []
        }
        guard contact.isMentioned else { return [] }
        place = Int64(y) + shift
        return [.move(y: pixels(options))]
    }

    private mutating func lift(isPalm: Bool, _ options: TraceFileOptions) -> Trace.Input {
        followed = nil
        return isPalm ? .cancel(y: pixels(options)) : .up(y: pixels(options))
    }

    /// Returns the place of the followed finger in px.
    private func pixels(_ options: TraceFileOptions) -> Double {
        (hasSlots ? axis : singleAxis).pixels(place, options)
    }

    private mutating func resetFrame() {
        for index in contacts.indices { contacts[index].endFrame() }
        fineWheel = 0
        wheel = 0
        keys = 0
        if present != nil { slot = 0 }
        present = nil
    }
}
