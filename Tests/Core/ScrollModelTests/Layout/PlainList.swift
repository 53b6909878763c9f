import ScrollModel

/// The obvious model of a list with sections: arrays, and batches done by the letter of the rules.
///
/// Everything bears a number by which it is known again: what is new or reloaded has a new one.
struct PlainList: Equatable {
    struct Row: Equatable {
        var name: Int
        var height: Double
        var isMeasured: Bool
    }

    struct Section: Equatable {
        var name: Int
        var header: Row
        var rows: [Row]
        var footer: Row
    }

    var header = Row(name: 0, height: 0, isMeasured: true)
    var sections: [Section] = []
    var footer = Row(name: 0, height: 0, isMeasured: true)
    var names = 0

    mutating func newRow(_ height: Double, isMeasured: Bool) -> Row {
        names += 1
        return Row(name: names, height: height, isMeasured: isMeasured)
    }

    var elements: [(element: ListElement, row: Row)] {
        [(.listHeader, header)] + sectionElements + [(.listFooter, footer)]
    }

    private var sectionElements: [(element: ListElement, row: Row)] {
        sections.enumerated().flatMap { number, section in
            [(.header(section: number), section.header)]
                + section.rows.enumerated().map {
                    (.row(RowIndex(section: number, row: $0.offset)), $0.element)
                } + [(.footer(section: number), section.footer)]
        }
    }

    var rows: [(index: RowIndex, row: Row)] {
        elements.compactMap { element, row in
            if case .row(let index) = element { (index, row) } else { nil }
        }
    }

    func index(ofRow name: Int) -> RowIndex? { rows.first { $0.row.name == name }?.index }

    func index(ofSection name: Int) -> Int? { sections.firstIndex { $0.name == name } }

    // MARK: - Lines

    /// The elements line by line, with the height of each line.
    func lines(_ flow: LineFlow?) -> [(elements: [ListElement], height: Double)] {
        guard let flow else { return elements.map { ([$0.element], $0.row.height) } }
        let lines = sections.enumerated().flatMap { number, section in
            var lines: [(elements: [ListElement], height: Double)] = []
            lines.append(([.header(section: number)], section.header.height))
            var row = 0
            while row < section.rows.count {
                let (count, height) = Self.line(section.rows[row...].map(\.height), flow)
                let rows = row..<row + count
                lines.append(
                    (
                        rows.map { .row(RowIndex(section: number, row: $0)) },
                        height + flow.spacing
                    ))
                row += count
            }
            return lines + [([.footer(section: number)], section.footer.height)]
        }
        return [([.listHeader], header.height)] + lines + [([.listFooter], footer.height)]
    }

    /// How many of these rows make the first line, and its height.
    private static func line(_ rows: [Double], _ flow: LineFlow) -> (count: Int, height: Double) {
        guard case .justified(let target) = flow.rule else {
            let line = rows.prefix(flow.columns ?? 1)
            if case .fixed(_, let height) = flow.rule { return (line.count, height) }
            return (line.count, line.max() ?? 0)
        }
        func height(_ count: Int) -> Double {
            let sum = rows.prefix(count).reduce(0) { $0 + min(max($1, 1.0 / 16), 16) }
            let width = max(1, flow.width - flow.spacing * Double(count - 1))
            return (width / sum * 1024).rounded() / 1024
        }
        guard let count = (1...rows.count).first(where: { height($0) <= target }) else {
            return (rows.count, min(target, height(rows.count)))
        }
        if count > 1, height(count - 1) - target < target - height(count) {
            return (count - 1, height(count - 1))
        }
        return (count, height(count))
    }

    // MARK: - Batches

    /// Why a batch can't be, in the order in which the rules are read.
    enum Refusal: Error {
        case noSuchSection, noSuchRow, namedTwice, implied, tooFewRows
    }

    /// Does a batch; `height` says how high new elements are, nil if that's not known.
    mutating func perform(
        _ updates: [ListUpdate], estimates: ListLayout.Estimates,
        height: (ListElement) -> Double?
    ) throws(Refusal) {
        try validate(updates)
        let old = sections
        var gone: Set<Int> = []
        var counts: [Int: Int] = [:]  // of inserted sections
        var rowsGone: Set<RowIndex> = []
        var rowPlaces: [RowIndex: RowIndex?] = [:]
        var rowsReloaded: Set<RowIndex> = []
        for call in updates {
            switch call {
            case .deleteSection(let section): gone.insert(section)
            case .insertSection(let section, let rows): counts[section] = rows
            case .deleteRow(let row): rowsGone.insert(row)
            case .insertRow(let row): rowPlaces[row] = .some(nil)
            case .moveRow(let row, let target):
                rowsGone.insert(row)
                rowPlaces[target] = row
            case .reloadRow(let row): rowsReloaded.insert(row)
            }
        }
        var rest = old.indices.filter { !gone.contains($0) }
        sections = []
        for number in 0..<rest.count + counts.count {
            let rows = counts[number]
            var section: Section
            var stay: [(old: RowIndex, row: Row)] = []
            if rows == nil {
                let origin = rest.removeFirst()
                section = old[origin]
                stay = section.rows.enumerated().map { (RowIndex(section: origin, row: $0), $1) }
                    .filter { !rowsGone.contains($0.0) }
            } else {
                names += 1
                section = Section(
                    name: names,
                    header: new(.header(section: number), estimates.header, height), rows: [],
                    footer: new(.footer(section: number), estimates.footer, height))
            }
            let targets = rowPlaces.keys.filter { $0.section == number }
            let count = rows ?? stay.count + targets.count
            section.rows = []
            for row in 0..<count {
                let index = RowIndex(section: number, row: row)
                if let place = rowPlaces[index] {
                    if let origin = place {
                        section.rows.append(old[origin.section].rows[origin.row])
                    } else {
                        section.rows.append(new(.row(index), estimates.row, height))
                    }
                } else if rows != nil {
                    section.rows.append(new(.row(index), estimates.row, height))
                } else {
                    let (origin, row) = stay.removeFirst()
                    section.rows.append(
                        rowsReloaded.contains(origin)
                            ? new(.row(index), estimates.row, height) : row)
                }
            }
            sections.append(section)
        }
    }

    private mutating func new(
        _ element: ListElement, _ estimate: Double, _ height: (ListElement) -> Double?
    ) -> Row {
        let height = height(element)
        return newRow(height ?? estimate, isMeasured: height != nil)
    }

    private func validate(_ updates: [ListUpdate]) throws(Refusal) {
        var (deleted, inserted): (Set<Int>, [Int: Int]) = ([], [:])
        for call in updates {
            switch call {
            case .deleteSection(let section):
                guard sections.indices.contains(section) else { throw .noSuchSection }
                guard deleted.insert(section).inserted else { throw .namedTwice }
            case .insertSection(let section, let rows):
                if rows < 0 { throw .tooFewRows }
                guard inserted.updateValue(rows, forKey: section) == nil else {
                    throw .namedTwice
                }
            default: break
            }
        }
        let after = sections.count - deleted.count + inserted.count
        for target in inserted.keys where target < 0 || target >= after { throw .noSuchSection }

        var (rowOrigins, rowTargets): (Set<RowIndex>, Set<RowIndex>) = ([], [])
        // Where the sections go, by the letter: what stays fills what isn't given away.
        var numbers: [Int?] = Array(repeating: nil, count: after)
        var free = numbers.indices.filter { inserted[$0] == nil }
        for section in sections.indices where !deleted.contains(section) {
            numbers[free.removeFirst()] = section
        }
        var stay = sections.map(\.rows.count)
        for call in updates {
            switch call {
            case .deleteRow(let row), .reloadRow(let row):
                try origin(row, &rowOrigins)
                if deleted.contains(row.section) { throw .implied }
                if case .deleteRow = call { stay[row.section] -= 1 }
            case .moveRow(let row, let target):
                try origin(row, &rowOrigins)
                stay[row.section] -= 1
                guard numbers.indices.contains(target.section) else { throw .noSuchSection }
                guard rowTargets.insert(target).inserted else { throw .namedTwice }
            case .insertRow(let row):
                guard numbers.indices.contains(row.section) else { throw .noSuchSection }
                guard rowTargets.insert(row).inserted else { throw .namedTwice }
                if inserted[row.section] != nil { throw .implied }
            default: break
            }
        }
        for section in numbers.indices {
            let come = rowTargets.filter { $0.section == section }
            let declared = inserted[section]
            let count = declared ?? come.count + (numbers[section].map { stay[$0] } ?? 0)
            for row in come where row.row < 0 || row.row >= count { throw .noSuchRow }
            if let declared, declared < come.count { throw .tooFewRows }
        }
    }

    private func origin(_ row: RowIndex, _ origins: inout Set<RowIndex>) throws(Refusal) {
        guard sections.indices.contains(row.section) else { throw .noSuchSection }
        guard sections[row.section].rows.indices.contains(row.row) else { throw .noSuchRow }
        guard origins.insert(row).inserted else { throw .namedTwice }
    }
}
