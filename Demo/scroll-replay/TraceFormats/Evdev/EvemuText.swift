/// Prints events as `evemu-record` does.
struct EvemuText: EvdevPrinter {
    func header(_ axis: EvdevAxis) -> String {
        """
        # EVEMU 1.3
        N: Lull trace
        I: 0018 0000 0000 0000
        P: 02 00 00 00 00 00 00 00
        B: 00 0f 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 20 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 04 00 00 00 00 00 00
        B: 02 00 09 00 00 00 00 00 00
        B: 03 00 00 00 00 00 80 e0 02
        A: 2f 0 9 0 0 0
        A: 35 0 \(axis.maximum) 0 0 \(axis.resolution)
        A: 36 0 \(axis.maximum) 0 0 \(axis.resolution)
        A: 37 0 2 0 0 0
        A: 39 0 65535 0 0 0

        """
    }

    func line(_ event: EvdevEvent) -> String {
        let time =
            "\(event.time / 1_000_000_000).\(padded(event.time / 1000 % 1_000_000, to: 6))"
        let type = padded(event.type, to: 4, radix: 16)
        let code = padded(event.code, to: 4, radix: 16)
        let note =
            event.type == Evdev.syn
            ? "------------ \(EvdevName.code(event.type, event.code)) (\(event.value)) ----------"
            : "\(EvdevName.type(event.type)) / \(EvdevName.code(event.type, event.code))"
        return "E: \(time) \(type) \(code) \(padded(event.value, to: 4))\t# \(note)\n"
    }
}
