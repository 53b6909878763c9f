/// Prints events as `getevent -p` and then `getevent -t` do, or with labels as `-lp` and `-lt`.
struct GeteventText: EvdevPrinter {
    let isLabelled: Bool

    private static let device = "/dev/input/event5"
    // getevent's times count from the start of the machine.
    private static let start: Int64 = 53_890

    func header(_ axis: EvdevAxis) -> String {
        func line(_ code: Int, _ maximum: Int64, _ resolution: Int64) -> String {
            let name =
                isLabelled
                ? left(EvdevName.code(Evdev.abs, code), 22)
                : padded(code, to: 4, radix: 16) + "  "
            return name + ": value 0, min 0, max \(maximum), fuzz 0, flat 0, "
                + "resolution \(resolution)"
        }
        return """
            add device 1: \(Self.device)
              name:     "Lull trace"
              events:
                ABS (0003): \(line(Evdev.slot, 9, 0))
                            \(line(Evdev.positionX, axis.maximum, axis.resolution))
                            \(line(Evdev.positionY, axis.maximum, axis.resolution))
                            \(line(Evdev.toolType, 2, 0))
                            \(line(Evdev.trackingID, 65535, 0))
              input props:
                INPUT_PROP_DIRECT

            """
    }

    func line(_ event: EvdevEvent) -> String {
        let seconds = padded(Self.start + event.time / 1_000_000_000, to: 8, with: " ")
        let time = "\(seconds).\(padded(event.time / 1000 % 1_000_000, to: 6))"
        let value = padded(UInt32(bitPattern: event.value), to: 8, radix: 16)
        guard isLabelled else {
            let type = padded(event.type, to: 4, radix: 16)
            let code = padded(event.code, to: 4, radix: 16)
            return "[\(time)] \(Self.device): \(type) \(code) \(value)\n"
        }
        let type = left(EvdevName.type(event.type), 12)
        let code = left(EvdevName.code(event.type, event.code), 20)
        let word =
            event.type == Evdev.key ? left(event.value == 0 ? "UP" : "DOWN", 20) : left(value, 20)
        return "[\(time)] \(Self.device): \(type) \(code) \(word)\n"
    }

    /// Returns a word padded on the right.
    private func left(_ word: String, _ width: Int) -> String {
        word + String(repeating: " ", count: max(0, width - word.utf8.count))
    }
}
