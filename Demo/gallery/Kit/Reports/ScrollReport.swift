internal import GalleryCatalogue
internal import ScrollModel

/// A report of a page on its list: its window, and the events since the last report.
///
/// It is the query of a request without a body:
/// `v=7&f=1184&h=800&w=25&b=180&e=d,100.5,640,0;m,108.8,620;f,116,20`.
/// Its content is untrusted.
struct ScrollReport: Equatable {
    /// An event of the page.
    struct Event: Equatable {
        /// The time in ms, on the page's clock.
        let time: Double
        let input: Input
    }

    /// An event of a list, and the list's offset at that time, if known.
    struct Input: Equatable {
        let event: ScrollEvent
        var offset: Double?
    }

    /// The maximum number of events: more than a second of frames and touches, and than a page
    /// sends.
    static let mostEvents = 256
    /// The maximum height of a window: that of an upright screen of 8K pixels.
    ///
    /// A page that is zoomed far out may be higher; then only its upper part counts.
    static let mostHeight = 8192.0
    /// The maximum time in ms that a picture takes to the page, as far as it counts.
    static let mostDelivery = 5000.0

    /// The version of the list to which offsets refer.
    let version: Int
    /// The flow of the page's pictures in lines, to which offsets refer, too.
    let flow: ListArrangement.Flow
    /// The height of the window in px.
    let height: Double
    /// The time from the end of a load until its picture is shown, as the page measures it: the
    /// event, the request, the transfer and the decoding there.
    let delivery: Duration
    /// The bytes that arrive at the page in a second while pictures do; zero if unknown.
    let bytesPerSecond: Double
    /// The events, in the order of their times.
    let events: [Event]

    /// Parses the query of a report; nil if it is invalid.
    init?(_ query: [String: String]) {
        guard let version = query["v"].flatMap({ Int($0) }), version >= 0,
            let flow = ListArrangement.Flow(text: query["f"] ?? "list"),
            let height = query["h"].flatMap({ Self.number(Array($0.utf8)[...]) }),
            height >= 0,
            let delivery = Self.number(Array((query["w"] ?? "0").utf8)[...]), delivery >= 0,
            let throughput = Self.number(Array((query["b"] ?? "0").utf8)[...]), throughput >= 0
        else { return nil }
        var events: [Event] = []
        let texts = Array((query["e"] ?? "").utf8)
        for text in texts.split(separator: UInt8(ascii: ";")) {
            guard events.count < Self.mostEvents, let event = Event(text),
                event.time >= events.last?.time ?? 0
            else { return nil }
            events.append(event)
        }
        self.version = version
        self.flow = flow
        self.height = min(height, Self.mostHeight)
        self.delivery = .microseconds(Int64(min(delivery, Self.mostDelivery) * 1000))
        bytesPerSecond = throughput * 1000
        self.events = events
    }

    /// Returns a number in digits, with an optional sign and point, as in `-12.5` but not `1e3`; nil
    /// if it isn't one, or its magnitude is too large to be useful.
    fileprivate static func number(_ text: ArraySlice<UInt8>) -> Double? {
        let isPlain = text.allSatisfy {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "-.".utf8.contains($0)
        }
        guard isPlain, let number = Double(String(decoding: text, as: UTF8.self)),
            abs(number) <= 1e12
        else { return nil }
        return number
    }
}

extension ScrollReport.Event {
    /// Parses an event: a letter, the time, and up to two more numbers, separated by commas.
    fileprivate init?(_ text: ArraySlice<UInt8>) {
        var numbers: (time: Double?, first: Double?, second: Double?)
        guard let letter = text.first else { return nil }
        var rest = text.dropFirst()
        while !rest.isEmpty {
            guard rest.removeFirst() == UInt8(ascii: ","), numbers.second == nil else { return nil }
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            guard let number = ScrollReport.number(rest[..<end]) else { return nil }
            rest = rest[end...]
            if numbers.time == nil {
                numbers.time = number
            } else if numbers.first == nil {
                numbers.first = number
            } else {
                numbers.second = number
            }
        }
        guard let time = numbers.time, time >= 0,
            let input = ScrollReport.Input(letter, numbers.first, numbers.second)
        else { return nil }
        self.init(time: time, input: input)
    }
}

extension ScrollReport.Input {
    fileprivate init?(_ letter: UInt8, _ first: Double?, _ second: Double?) {
        switch (UnicodeScalar(letter), first, second) {
        case ("f", let offset?, nil): self.init(event: .frame, offset: offset)
        case ("d", let y?, let offset?): self.init(event: .down(y: y), offset: offset)
        case ("m", let y?, nil): self.init(event: .moved(y: y))
        case ("u", let y?, nil): self.init(event: .up(y: y))
        case ("c", nil, nil): self.init(event: .cancelled)
        case ("w", nil, nil): self.init(event: .wheel)
        case ("k", nil, nil): self.init(event: .key)
        // The list animates to its top; the animation has reached it, or was stopped.
        case ("t", _, nil): self.init(event: .jumpBegan(target: 0))
        case ("e", _, nil): self.init(event: .jumpEnded)
        default: return nil
        }
    }
}
