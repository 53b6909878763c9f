import LullTesting

/// A printer of the kernel's events in one dialect.
protocol EvdevPrinter {
    /// Returns the text before the events.
    func header(_ axis: EvdevAxis) -> String

    /// Returns an event as a line, with its line break.
    func line(_ event: EvdevEvent) -> String
}

/// A writer of a trace as input events in some dialect.
struct EvdevText<Printer: EvdevPrinter> {
    private let printer: Printer
    private let script: EvdevScript

    init(_ printer: Printer, _ trace: Trace) {
        self.printer = printer
        script = EvdevScript(trace)
    }

    func write(to sink: (String) throws -> Void) rethrows {
        try sink(printer.header(script.axis))
        try script.forEach { try sink(printer.line($0)) }
    }
}

/// The kernel's names of the codes that are written.
enum EvdevName {
    static func type(_ type: Int) -> String {
        Evdev.types.first { $0.value == type }?.key ?? padded(type, to: 4, radix: 16)
    }

    static func code(_ type: Int, _ code: Int) -> String {
        Evdev.codes[type]?.first { $0.value == code }?.key ?? padded(code, to: 4, radix: 16)
    }
}
