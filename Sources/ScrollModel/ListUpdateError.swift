/// The reason why a batch of updates cannot be; the list is as it was.
public enum ListUpdateError: Error, Equatable, Sendable {
    /// The origin or target of a call is in no section: there are so many, before the batch for
    /// what is deleted, reloaded or moved away, after it for the rest.
    case noSuchSection(ListUpdate, section: Int, count: Int)
    /// The row isn't in its section, which has so many rows, before the batch or after it.
    case noSuchRow(ListUpdate, row: RowIndex, count: Int)
    /// Two calls name the same row or section as what goes or changes, or as where something comes.
    case namedTwice(ListUpdate, ListUpdate)
    /// The row goes with its section, or with that section's reload, and isn't to be named.
    case impliedBySection(ListUpdate, ListUpdate)
    /// A new section has fewer rows than come into it, or less than none.
    case tooFewRows(ListUpdate, moved: Int)
    /// With the rows of this section, or with all sections, there would be too many; a list has
    /// ``ListLayout/maximumCount`` at most.
    case tooMany(ListUpdate)
    /// The calls leave so many sections, and not as many as are expected.
    case sectionCount(expected: Int, found: Int)
    /// The calls leave a section with as many rows as were `found`, and not with as many as are
    /// expected: it had so many `before`, nil for a new one, of which some are `gone`, and others
    /// have `come`. Sections are counted after the batch.
    case rowCount(
        section: Int, expected: Int, before: Int?, gone: Int, come: Int, found: Int)
    /// A height that cannot be, or too large a content.
    case height(ListElement, RowHeightsError)
}

extension ListUpdateError: CustomStringConvertible {
    /// The fault, and what would be right.
    public var description: String {
        switch self {
        case .noSuchSection(let call, let section, let count):
            "\(call.words): there is no section \(section); \(Self.numbers(count, "section"))"
        case .noSuchRow(let call, let row, let count):
            "\(call.words): there is no row \(row); \(Self.numbers(count, "row"))"
        case .namedTwice(let one, let other):
            "\(one.words), and \(other.words): one index, named twice"
        case .impliedBySection(let call, let section):
            "\(call.words): \(section.words) implies it; leave it out"
        case .tooFewRows(let call, let moved):
            "\(call.words): it has no fewer rows than the \(moved) that move in"
        case .tooMany(let call):
            "\(call.words): a list has no more than \(ListLayout.maximumCount) sections and rows"
        case .sectionCount(let expected, let found):
            "the calls leave \(found) sections, not \(expected)"
        case .rowCount(let section, let expected, let before, let gone, let come, let found):
            "section \(section): the calls leave \(found) rows"
                + " (\(before.map(String.init) ?? "new"), \(gone) gone, \(come) come), not \(expected)"
        case .height(let element, let error):
            "\(element): \(error)"
        }
    }

    private static func numbers(_ count: Int, _ what: String) -> String {
        count == 0 ? "there is no \(what)" : "\(what)s are numbered 0 to \(count - 1)"
    }
}
