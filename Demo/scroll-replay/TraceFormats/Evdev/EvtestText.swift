/// Prints events as `evtest` does.
struct EvtestText: EvdevPrinter {
    // evtest's times count from 1970.
    private static let start: Int64 = 1_746_371_934

    func header(_ axis: EvdevAxis) -> String {
        """
        Input driver version is 1.0.1
        Input device ID: bus 0x18 vendor 0x0 product 0x0 version 0x0
        Input device name: "Lull trace"
        Supported events:
          Event type 0 (EV_SYN)
          Event type 1 (EV_KEY)
            Event code 109 (KEY_PAGEDOWN)
            Event code 330 (BTN_TOUCH)
          Event type 2 (EV_REL)
            Event code 8 (REL_WHEEL)
            Event code 11 (REL_WHEEL_HI_RES)
          Event type 3 (EV_ABS)
            Event code 47 (ABS_MT_SLOT)
              Value      0
              Min        0
              Max        9
            Event code 53 (ABS_MT_POSITION_X)
              Value      0
              Min        0
              Max    \(padded(axis.maximum, to: 5, with: " "))
              Resolution \(padded(axis.resolution, to: 3, with: " "))
            Event code 54 (ABS_MT_POSITION_Y)
              Value      0
              Min        0
              Max    \(padded(axis.maximum, to: 5, with: " "))
              Resolution \(padded(axis.resolution, to: 3, with: " "))
            Event code 55 (ABS_MT_TOOL_TYPE)
              Value      0
              Min        0
              Max        2
            Event code 57 (ABS_MT_TRACKING_ID)
              Value      0
              Min        0
              Max    65535
        Properties:
          Property type 1 (INPUT_PROP_DIRECT)
        Testing ... (interrupt to exit)

        """
    }

    func line(_ event: EvdevEvent) -> String {
        let seconds = Self.start + event.time / 1_000_000_000
        let time = "\(seconds).\(padded(event.time / 1000 % 1_000_000, to: 6))"
        guard event.type != Evdev.syn else {
            return "Event: time \(time), -------------- SYN_REPORT ------------\n"
        }
        let code = EvdevName.code(event.type, event.code)
        return "Event: time \(time), type \(event.type) (\(EvdevName.type(event.type))), "
            + "code \(event.code) (\(code)), value \(event.value)\n"
    }
}
