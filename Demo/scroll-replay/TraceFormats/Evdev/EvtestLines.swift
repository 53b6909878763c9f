/// The output of `evtest`: everything in decimal.
///
/// ```text
///     Event code 54 (ABS_MT_POSITION_Y)
///       Max      479
/// Event: time 1746371934.711869, type 3 (EV_ABS), code 54 (ABS_MT_POSITION_Y), value 368
/// Event: time 1746371934.711869, -------------- SYN_REPORT ------------
/// ```
struct EvtestLines: EvdevDialect {
    static let dialect = TraceDialect.evtest

    private var hasBegun = false
    private var type: Int64 = 0
    private var code = Evdev.unknown
    private var axis = EvdevAxis()

    mutating func read(_ line: [UInt8]) throws(Complaint) -> EvdevLine {
        var scanner = ByteScanner(line)
        scanner.skipBlanks()
        if scanner.take("Event: time ") {
            hasBegun = true
            guard let event = event(&scanner) else { throw Complaint(line, in: Self.dialect) }
            return .event(event, device: 0)
        }
        guard !hasBegun || scanner.isAtEnd || scanner.next == UInt8(ascii: "^") else {
            throw Complaint(line, in: Self.dialect)
        }
        return header(&scanner)
    }

    private func event(_ scanner: inout ByteScanner) -> EvdevEvent? {
        guard let time = scanner.billionths(), scanner.take(", ") else { return nil }
        guard scanner.take("type ") else { return marker(at: time, &scanner) }
        guard let type = scanner.integer().flatMap(Int.init(exactly:)),
            scanner.skip(past: "code "),
            let code = scanner.integer().flatMap(Int.init(exactly:)), scanner.skip(past: "value ")
        else { return nil }
        // Scan codes and other types are in hexadecimal, and aren't used.
        guard (Evdev.syn...Evdev.abs).contains(type) else {
            return EvdevEvent(time: time, type: type, code: code, value: 0)
        }
        guard let value = scanner.integer().flatMap(Int32.init(exactly:)), scanner.isAtEnd else {
            return nil
        }
        return EvdevEvent(time: time, type: type, code: code, value: value)
    }

    private func marker(at time: Int64, _ scanner: inout ByteScanner) -> EvdevEvent? {
        let codes = [
            ("SYN_REPORT", Evdev.report), ("Report Sync", Evdev.report),
            ("SYN_MT_REPORT", Evdev.contactEnd), ("SYN_DROPPED", Evdev.dropped),
        ]
        for (name, code) in codes where scanner.skip(past: name) {
            return EvdevEvent(time: time, type: Evdev.syn, code: code, value: 0)
        }
        return nil
    }

    private mutating func header(_ scanner: inout ByteScanner) -> EvdevLine {
        if scanner.take("Event type ") {
            type = scanner.integer() ?? 0
            code = Evdev.unknown
        } else if scanner.take("Event code ") {
            code = scanner.integer().flatMap(Int.init(exactly:)) ?? Evdev.unknown
            axis = EvdevAxis()
        } else if type == Int64(Evdev.abs), code != Evdev.unknown {
            if let value = value("Min", &scanner) { axis.minimum = value }
            if let value = value("Max", &scanner) { axis.maximum = value }
            if let value = value("Resolution", &scanner) { axis.resolution = value }
            return .axis(axis, code: code, device: 0)
        }
        return .nothing
    }

    private func value(_ name: String, _ scanner: inout ByteScanner) -> Int64? {
        guard scanner.take(name) else { return nil }
        scanner.skipBlanks()
        return scanner.integer()
    }
}
