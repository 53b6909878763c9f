/// Prints events as `libinput record` does.
struct LibinputRecordText: EvdevPrinter {
    func header(_ axis: EvdevAxis) -> String {
        """
        # libinput record
        version: 1
        ndevices: 1
        libinput:
          version: "1.22.1"
          git: "unknown"
        system:
          os: "debian:12"
          kernel: "6.1.0"
          dmi: "unknown"
        devices:
        - node: /dev/input/event5
          evdev:
            # Name: Lull trace
            name: "Lull trace"
            id: [24, 0, 0, 0]
            codes:
              0: [0, 1, 2, 3] # EV_SYN
              1: [109, 330] # EV_KEY
              2: [8, 11] # EV_REL
              3: [47, 53, 54, 55, 57] # EV_ABS
            absinfo:
              47: [0, 9, 0, 0, 0]
              53: [0, \(axis.maximum), 0, 0, \(axis.resolution)]
              54: [0, \(axis.maximum), 0, 0, \(axis.resolution)]
              55: [0, 2, 0, 0, 0]
              57: [0, 65535, 0, 0, 0]
            properties: [1]
          hid: []
          udev:
            properties:
            - ID_INPUT=1
            - ID_INPUT_TOUCHSCREEN=1
          quirks:
          events:

        """
    }

    func line(_ event: EvdevEvent) -> String {
        let seconds = padded(event.time / 1_000_000_000, to: 3, with: " ")
        let micros = padded(event.time / 1000 % 1_000_000, to: 6, with: " ")
        let type = padded(event.type, to: 3, with: " ")
        let code = padded(event.code, to: 3, with: " ")
        let value = padded(event.value, to: 7, with: " ")
        let name = "\(EvdevName.type(event.type)) / \(EvdevName.code(event.type, event.code))"
        return "  - evdev:\n    - [\(seconds), \(micros), \(type), \(code), \(value)] # \(name)\n"
    }
}
