import ScrollModel

/// An event of the kernel's input layer.
struct EvdevEvent: Equatable {
    /// The time, on the recording's own clock.
    var time: Instant
    var type: Int
    var code: Int
    var value: Int32
}

/// The kernel's numbers of types and codes; those that aren't used here are left out.
enum Evdev {
    static let syn = 0
    static let key = 1
    static let rel = 2
    static let abs = 3

    static let report = 0
    static let contactEnd = 2
    static let dropped = 3

    static let touch = 0x14A
    /// The numbers of fingers on a touchpad, by the keys that report them: BTN_TOOL_FINGER,
    /// DOUBLETAP, TRIPLETAP, QUADTAP and QUINTTAP.
    static let fingers = [0x145: 1, 0x14D: 2, 0x14E: 3, 0x14F: 4, 0x148: 5]
    static let pointerProperty: Int64 = 0
    static let directProperty: Int64 = 1
    /// Page up and down, home, end, up, down and space: the keys that scroll.
    static let scrollKeys: Set<Int> = [104, 109, 102, 107, 103, 108, 57]

    static let wheel = 8
    static let wheelHighResolution = 11

    static let y = 1
    static let slot = 0x2F
    static let positionX = 0x35
    static let positionY = 0x36
    static let toolType = 0x37
    static let trackingID = 0x39
    static let palm: Int32 = 2
    /// The codes that describe a contact.
    static let contact = 0x30...0x3E

    /// The numbers of the type names that `getevent -l` prints.
    static let types = [
        "EV_SYN": syn, "EV_KEY": key, "EV_REL": rel, "EV_ABS": abs, "EV_MSC": 4, "EV_SW": 5,
        "EV_LED": 0x11, "EV_SND": 0x12, "EV_REP": 0x14, "EV_FF": 0x15, "EV_PWR": 0x16,
        "EV_FF_STATUS": 0x17,
    ]

    /// The numbers of the code names that are used; other names need none.
    static let codes: [Int: [String: Int]] = [
        syn: ["SYN_REPORT": report, "SYN_MT_REPORT": contactEnd, "SYN_DROPPED": dropped],
        key: [
            "BTN_TOUCH": touch, "KEY_PAGEUP": 104, "KEY_PAGEDOWN": 109, "KEY_HOME": 102,
            "KEY_END": 107, "KEY_UP": 103, "KEY_DOWN": 108, "KEY_SPACE": 57,
            "BTN_TOOL_FINGER": 0x145, "BTN_TOOL_DOUBLETAP": 0x14D, "BTN_TOOL_TRIPLETAP": 0x14E,
            "BTN_TOOL_QUADTAP": 0x14F, "BTN_TOOL_QUINTTAP": 0x148,
        ],
        rel: ["REL_WHEEL": wheel, "REL_WHEEL_HI_RES": wheelHighResolution],
        abs: [
            "ABS_Y": y, "ABS_MT_SLOT": slot, "ABS_MT_POSITION_X": positionX,
            "ABS_MT_POSITION_Y": positionY, "ABS_MT_TOOL_TYPE": toolType,
            "ABS_MT_TRACKING_ID": trackingID, "ABS_MT_TOUCH_MAJOR": 0x30,
            "ABS_MT_TOUCH_MINOR": 0x31, "ABS_MT_PRESSURE": 0x3A, "ABS_MT_ORIENTATION": 0x34,
            "ABS_MT_DISTANCE": 0x3B,
        ],
    ]

    /// A code that no device has, for a name that isn't used.
    static let unknown = -1
}
