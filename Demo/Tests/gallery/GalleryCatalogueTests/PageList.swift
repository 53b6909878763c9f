import GalleryCatalogue
import GalleryFiles
import ScrollModel
import Testing

/// What a page knows of the list, made of the changes that it's told alone.
struct PageList: Equatable {
    let order: ListOrder
    var version = 0
    var keys: [PictureKey] = []
    var ratios: [Int] = []
    var sections: [String] = []

    /// As somebody has it who fetches all of it now.
    init(of catalogue: Catalogue, by order: ListOrder = .name) {
        self.order = order
        version = catalogue.version
        sections = sections(of: catalogue)
        for position in 0..<catalogue.rowCount {
            keys.append(catalogue.entry(atPosition: position, by: order).key)
        }
        ratios = ratios(0..<catalogue.rowCount, of: catalogue)
    }

    private func ratios(_ positions: Range<Int>, of catalogue: Catalogue) -> [Int] {
        var ratios: [Int] = []
        catalogue.forEachRatio(at: positions, by: order) { ratios.append($0) }
        return ratios
    }

    /// Follows one change; what is new is asked for, what stays isn't.
    mutating func follow(_ batch: CatalogueChange, in catalogue: Catalogue) {
        #expect(batch.from == version && batch.to == version + 1)
        let (change, old) = (batch[order], keys)
        for range in change.removed.reversed() {
            keys.removeSubrange(range)
            ratios.removeSubrange(range)
        }
        for range in change.inserted {
            keys.insert(
                contentsOf: range.map { catalogue.entry(atPosition: $0, by: order).key },
                at: range.lowerBound)
            ratios.insert(contentsOf: ratios(range, of: catalogue), at: range.lowerBound)
        }
        for position in change.measured {
            let ratio = ratios(position..<position + 1, of: catalogue)[0]
            #expect(ratios[position] != ratio)
            ratios[position] = ratio
        }
        version = batch.to
        let sections = sections(of: catalogue)
        #expect(change.areSectionsChanged == (sections != self.sections))
        self.sections = sections
        #expect(change.removed.areApart && change.inserted.areApart)
        #expect(change.measured == change.measured.sorted())
        checkMapping(of: change, old, catalogue.layout(by: order))
    }

    private func sections(of catalogue: Catalogue) -> [String] {
        switch order {
        case .name: catalogue.sections.map { "\($0.folder): \($0.rowCount)" }
        case .date: catalogue.months.map { "\($0.month.name): \($0.rowCount)" }
        }
    }

    /// The mapping says of each row that stays where it is now, and of no other.
    private func checkMapping(
        of change: RowsChange, _ old: [PictureKey], _ layout: ListLayout
    ) {
        let new = keys.indices.filter { position in
            change.mapping.oldIndex(of: layout.row(atPosition: position)) == nil
        }
        #expect(new == change.inserted.flatMap { Array($0) })
        let gone = change.removed.reduce(0) { $0 + $1.count }
        let come = change.inserted.reduce(0) { $0 + $1.count }
        #expect(old.count - gone + come == keys.count)
    }
}

extension [Range<Int>] {
    /// Whether they rise and none touches another.
    fileprivate var areApart: Bool {
        zip(self, dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
            && allSatisfy { !$0.isEmpty }
    }
}
