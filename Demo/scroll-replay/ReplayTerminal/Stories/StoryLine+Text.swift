package import DeferredLoading

extension Urgency {
    /// The urgency's name.
    package var name: String { "\(self)" }
}

extension StoryLine {
    /// The line in columns: seconds, kind, and the facts with the reason.
    package var text: String {
        let parts = [facts, reason ?? ""].filter { !$0.isEmpty }
        let line = "\(seconds(time, 4).right(to: 9))  \(kind.rawValue.filled(to: 11))  "
        return (line + parts.joined(separator: ": ")).trimmedEnd
    }

    /// The same with the row in front.
    package var textWithRow: String {
        let cells = text
        return String(cells.prefix(11)) + "row \(row)".filled(to: 10) + "  " + cells.dropFirst(11)
    }

    private var facts: String {
        switch kind {
        case .wanted, .raised, .lowered:
            guard let urgency, let rank else { return "" }
            let before = from.map { $0 == urgency ? "" : "\($0.name) → " } ?? ""
            return "\(before)\(urgency.name), rank \(rank)"
        case .dropped: return "no longer wanted, before anything was done"
        case .cancelled:
            if let since { return "no longer wanted, fetching since \(seconds(since, 4))" }
            return "no longer wanted, after \(milliseconds(cost ?? 0, 2)) ms of work"
        case .released: return "no longer wanted; it's there"
        case .skipped: return "on screen, and not wanted"
        case .rejected: return "the queue is full; it's offered again"
        case .fetched: return since.map { "since \(seconds($0, 4))" } ?? ""
        case .begun, .refined, .retried: return ""
        case .shared: return "more or fewer lists want it than before"
        case .kept: return "no longer wanted, but nearly done"
        case .memoryBlocked: return "no room to keep it; it waits"
        case .retrying: return since.map { "tried again at \(seconds($0, 4))" } ?? ""
        case .loaded: return cost.map { "cost \(milliseconds($0, 2)) ms" } ?? ""
        case .failed, .invalidated: return ""
        case .evicted: return "it made room for another"
        }
    }
}

extension String {
    /// This text without trailing spaces.
    var trimmedEnd: String {
        var text = self
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
