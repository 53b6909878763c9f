import LullTesting
import ReplayText

/// The summary of a comparison in sentences.
///
/// It states which contender blanks least and by how much, at which waste, and whether that makes
/// frames late; and what the rule `within3` saves and costs compared with `visible`.
struct ComparisonSummary {
    /// A contender, with its figures over all traces.
    struct Entry {
        /// The rule.
        var policy: String
        /// The engine.
        var engine: String
        /// The sums.
        var figures: Figures

        /// Creates a contender with its figures.
        init(policy: String, engine: String, figures: Figures) {
            self.policy = policy
            self.engine = engine
            self.figures = figures
        }
    }

    private let entries: [Entry]
    private let seers: [Entry]
    private let hasEngines: Bool

    /// Creates the summary of contenders, given in any order.
    init(of entries: [Entry]) {
        let sorted = entries.ranked
        // The oracle knows the trace beforehand, so no program could use it as a rule.
        let rules = sorted.filter { $0.policy != "oracle" }
        self.entries = rules.isEmpty ? sorted : rules
        seers = rules.isEmpty ? [] : sorted.filter { $0.policy == "oracle" }
        hasEngines = Set(entries.map(\.engine)).count > 1
    }

    /// The sentences, one a line.
    var sentences: [String] {
        guard let best = entries.first else { return [] }
        let bound = seers.first { $0.engine == best.engine }.map { seer in
            "\(name(seer)), which knows the trace, blanks \(blank(seer)) row·s."
        }
        return told(best) + (bound.map { [$0] } ?? [])
    }

    private func told(_ best: Entry) -> [String] {
        guard entries.count > 1 else {
            return [
                "\(name(best)) blanks \(blank(best)) row·s at \(percent(best.figures.wasteShare)) "
                    + "waste; \(frames(best))."
            ]
        }
        var result = [least(of: entries)]
        let punctual = entries.filter { $0.figures.framesLate == 0 }
        if best.figures.framesLate > 0, let first = punctual.first {
            result.append(
                punctual.count > 1
                    ? "Of those that make no frame late, \(least(of: punctual, tellingFrames: false))"
                    : "Only \(name(first)) makes no frame late: it blanks \(blank(first)) row·s at "
                        + "\(percent(first.figures.wasteShare)) waste.")
        }
        for entry in entries where entry.policy == "within3" {
            // The engine that loads in the frame asks no rule, so there is nothing to compare.
            if let visible = counterpart(of: entry), visible.figures != entry.figures {
                result.append(landing(entry, against: visible))
            }
        }
        return result
    }

    /// Returns the sentence on which of some sorted contenders blanks least.
    private func least(of entries: [Entry], tellingFrames: Bool = true) -> String {
        let best = entries[0]
        let equals = entries.prefix { $0.figures.rank.blank == best.figures.rank.blank }
        let waste = percent(best.figures.wasteShare)
        let end = tellingFrames ? "; \(frames(best))." : "."
        if equals.count > 1 {
            let all = equals.count == entries.count ? "blank the same" : "blank least"
            let what =
                best.figures.blank == .zero ? "blank nothing" : "\(all), \(blank(best)) row·s"
            return "\(list(equals.map(name))) \(what); of these \(name(best)) wastes least, "
                + "\(waste)\(end)"
        }
        var others = [entries[1]]
        if let visible = counterpart(of: best), name(visible) != name(entries[1]),
            visible.policy != best.policy
        {
            others.append(visible)
        }
        guard best.figures.blank > .zero else {
            let blanks = others.map { "\(name($0)) blanks \(blank($0))" }.joined(separator: " and ")
            return "\(name(best)) blanks nothing, where \(blanks) row·s, at \(waste) waste\(end)"
        }
        let less = others.map { self.less(best, than: $0) }.joined(separator: " and ")
        return "\(name(best)) blanks least: \(blank(best)) row·s, \(less), at \(waste) waste\(end)"
    }

    /// Returns the sentence on what `within3` saves and costs.
    private func landing(_ entry: Entry, against visible: Entry) -> String {
        let own = entry.figures
        let other = visible.figures
        var text = name(entry) + " loads "
        if own.loadsFinished == other.loadsFinished {
            text += "as much as \(name(visible)) (\(own.loadsFinished))"
        } else {
            text +=
                "\(difference(Double(own.loadsFinished), Double(other.loadsFinished))) than "
                + "\(name(visible)) (\(own.loadsFinished) for \(other.loadsFinished))"
        }
        text +=
            own.wasteShare == other.wasteShare
            ? ", wastes as much"
            : ", wastes \(percent(own.wasteShare)) for \(percent(other.wasteShare))"
        if own.blank == other.blank { return text + " and blanks the same." }
        guard other.blank > .zero else {
            return text
                + " and blanks \(blank(entry)) row·s, where \(name(visible)) blanks nothing."
        }
        return text + " and blanks \(decimals(own.blank / other.blank, 1)) × as much."
    }

    private func counterpart(of entry: Entry) -> Entry? {
        entries.first { $0.policy == "visible" && $0.engine == entry.engine }
    }

    private func less(_ entry: Entry, than other: Entry) -> String {
        let share = difference(
            Double(entry.figures.blank.nanoseconds), Double(other.figures.blank.nanoseconds))
        return "\(share) than \(name(other)) (\(blank(other)))"
    }

    /// Returns the difference of two numbers in per cent, as less or more.
    private func difference(_ one: Double, _ other: Double) -> String {
        guard other > 0 else { return "more" }
        let share = abs(other - one) / other
        return "\(share < 0.01 ? "<1 %" : percent(share)) \(one < other ? "less" : "more")"
    }

    private func frames(_ entry: Entry) -> String {
        let figures = entry.figures
        if figures.framesLate == 0 { return "no frame is late" }
        return counted(figures.framesLate, "frame is", "frames are")
            + " late, \(figures.framesDropped) dropped"
    }

    private func name(_ entry: Entry) -> String {
        hasEngines ? "\(entry.policy)/\(entry.engine)" : entry.policy
    }

    private func blank(_ entry: Entry) -> String { seconds(entry.figures.blank) }

    private func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        guard names.count <= 4 else { return "\(names.count) ways (\(names[0]) among them)" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension [ComparisonSummary.Entry] {
    /// The entries by blank, then by waste, then in their order.
    var ranked: [ComparisonSummary.Entry] {
        enumerated().sorted { first, second in
            let (one, other) = (first.element.figures.rank, second.element.figures.rank)
            return (one.blank, one.waste, first.offset) < (other.blank, other.waste, second.offset)
        }.map(\.element)
    }
}

extension Figures {
    /// The sort key of contenders: the blank as it is printed, then the waste.
    fileprivate var rank: (blank: Int, waste: Duration) {
        (Int((blank.nanoseconds + 500_000) / 1_000_000), wastedCost)
    }
}
