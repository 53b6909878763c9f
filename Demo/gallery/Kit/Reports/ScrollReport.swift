/// What a page tells of its list: its window, and what has happened there since the last report.
///
/// It comes as the query of a request without a body: `v=7&h=800&e=d,100.5,640,0;m,108.8,620;f,116,20`.
/// Everything about it is a stranger's word.
struct ScrollReport: Equatable {
    /// Something that happened on the page.
    struct Event: Equatable {
        /// When, in ms of the page's own clock.
        let time: Double
        let kind: Kind
    }

    enum Kind: Equatable {
        /// A frame was shown at this offset.
        case frame(offset: Double)
        /// A finger came down in the window, at this offset of the list.
        case down(y: Double, offset: Double)
        case moved(y: Double)
        case up(y: Double)
        case cancelled
        case wheel
        case key
        /// The list animates to its top; it has ended there, or was stopped.
        case jumpBegan
        case jumpEnded
    }

    /// More than a second of frames and of fingers, more than a report of a page has.
    static let mostEvents = 256

    /// The version of the list that offsets are of.
    let version: Int
    /// The height of the window in px.
    let height: Double
    /// In the order of their times.
    let events: [Event]

    /// What a query says; nil if it makes no sense.
    init?(_ query: [String: String]) {
        guard let version = query["v"].flatMap({ Int($0) }), version >= 0,
            let height = query["h"].flatMap({ Self.number($0[...], upTo: 100_000) }), height >= 0
        else { return nil }
        let texts = (query["e"] ?? "").split(separator: ";")
        guard texts.count <= Self.mostEvents else { return nil }
        var events: [Event] = []
        for text in texts {
            guard let event = Event(text), event.time >= events.last?.time ?? 0 else { return nil }
            events.append(event)
        }
        self.version = version
        self.height = height
        self.events = events
    }

    /// A number as pages write them; nil if it's none, or farther from zero than is of use.
    fileprivate static func number(_ text: Substring, upTo limit: Double = 1e12) -> Double? {
        guard text.utf8.allSatisfy({ (0x2D...0x39).contains($0) && $0 != 0x2F }),
            let number = Double(text), abs(number) <= limit
        else { return nil }
        return number
    }
}

extension ScrollReport.Event {
    fileprivate init?(_ text: Substring) {
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = fields.dropFirst().compactMap { ScrollReport.number($0) }
        guard numbers.count == fields.count - 1, let time = numbers.first, time >= 0,
            let kind = ScrollReport.Kind(fields[0], numbers.dropFirst())
        else { return nil }
        self.init(time: time, kind: kind)
    }
}

extension ScrollReport.Kind {
    fileprivate init?(_ letter: Substring, _ numbers: ArraySlice<Double>) {
        switch (letter, numbers.first, numbers.count) {
        case ("f", let offset?, 1): self = .frame(offset: offset)
        case ("d", let y?, 2): self = .down(y: y, offset: numbers[numbers.endIndex - 1])
        case ("m", let y?, 1): self = .moved(y: y)
        case ("u", let y?, 1): self = .up(y: y)
        case ("c", nil, 0): self = .cancelled
        case ("w", nil, 0): self = .wheel
        case ("k", nil, 0): self = .key
        case ("t", _, 0...1): self = .jumpBegan
        case ("e", _, 0...1): self = .jumpEnded
        default: return nil
        }
    }
}
