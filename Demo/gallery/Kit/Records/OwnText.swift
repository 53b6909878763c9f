internal import LullTesting
internal import ScrollModel

/// Writes traces in this package's own format.
enum OwnText {
    /// Returns an input as a line, with its line break.
    static func line(_ event: Trace.Event) -> String {
        switch event.input {
        case .down(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"down\"")
        case .move(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"move\"")
        case .up(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"up\"")
        case .cancel(let y): line(event.time, "\"y\":\(plain(y)),\"phase\":\"cancel\"")
        case .wheel(let dy):
            line(event.time, place(event.offset) + "\"dy\":\(plain(dy)),\"phase\":\"wheel\"")
        case .key: line(event.time, place(event.offset) + "\"phase\":\"key\"")
        }
    }

    /// Returns a known offset as a member with its comma, or an empty text.
    static func place(_ offset: Double?) -> String {
        offset.map { "\"y\":\(plain($0))," } ?? ""
    }

    /// Returns an offset as a line, with its line break.
    static func line(_ sample: Trace.Sample) -> String {
        line(sample.time, "\"y\":\(plain(sample.offset)),\"phase\":\"scroll\"")
    }

    /// Returns the known facts about a trace's screen as members of its first line, or an empty
    /// text.
    static func facts(height: Double?, hz: Int?) -> String {
        (height.map { ",\"viewport\":\(plain($0))" } ?? "") + (hz.map { ",\"hz\":\($0)" } ?? "")
    }

    /// Returns the first line of a trace with the known facts about its screen.
    static func first(_ line: String, height: Double?, hz: Int?) -> String {
        line.dropLast(2) + facts(height: height, hz: hz) + "}\n"
    }

    private static func line(_ time: Instant, _ rest: String) -> String {
        "{\"t\":\(decimal(time.nanoseconds, places: 9)),\(rest)}\n"
    }
}

/// Returns a whole number of tenths, hundredths and so on as a decimal without trailing zeros:
/// 16_400 with 6 places is 0.0164.
private func decimal(_ value: Int64, places: Int) -> String {
    var digits = String(value.magnitude)
    if digits.utf8.count <= places {
        digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits
    }
    var fraction = digits.suffix(places)
    while fraction.last == "0" { fraction.removeLast() }
    let whole = digits.dropLast(places)
    return (value < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
}

/// Returns a number in as few digits as represent it exactly.
private func plain(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
