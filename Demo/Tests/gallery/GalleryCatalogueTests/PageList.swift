import GalleryCatalogue
import GalleryFiles
import ScrollModel
import Testing

/// What a page knows of the list, made of the changes that it's told alone.
struct PageList: Equatable {
    var version = 0
    var keys: [PictureKey] = []
    var heights: [Double] = []
    var sections: [String] = []

    /// As somebody has it who fetches all of it now.
    init(of catalogue: Catalogue) {
        version = catalogue.version
        sections = Self.sections(of: catalogue)
        let layout = catalogue.layout
        for position in 0..<layout.rowCount {
            keys.append(catalogue.entry(atPosition: position).key)
            heights.append(layout.extent(ofRowAt: position).height)
        }
    }

    /// Follows one change; what is new is asked for, what stays isn't.
    mutating func follow(_ change: CatalogueChange, in catalogue: Catalogue) {
        #expect(change.from == version && change.to == version + 1)
        let old = keys
        for range in change.removed.reversed() {
            keys.removeSubrange(range)
            heights.removeSubrange(range)
        }
        for range in change.inserted {
            keys.insert(
                contentsOf: range.map { catalogue.entry(atPosition: $0).key },
                at: range.lowerBound)
            heights.insert(
                contentsOf: range.map { catalogue.layout.extent(ofRowAt: $0).height },
                at: range.lowerBound)
        }
        for position in change.measured {
            let height = catalogue.layout.extent(ofRowAt: position).height
            #expect(heights[position] != height)
            heights[position] = height
        }
        version = change.to
        let sections = Self.sections(of: catalogue)
        #expect(change.areSectionsChanged == (sections != self.sections))
        self.sections = sections
        #expect(change.removed.areApart && change.inserted.areApart)
        #expect(change.measured == change.measured.sorted())
        checkMapping(of: change, old, catalogue.layout)
    }

    private static func sections(of catalogue: Catalogue) -> [String] {
        catalogue.sections.map { "\($0.folder): \($0.rowCount)" }
    }

    /// The mapping says of each row that stays where it is now, and of no other.
    private func checkMapping(
        of change: CatalogueChange, _ old: [PictureKey], _ layout: ListLayout
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
