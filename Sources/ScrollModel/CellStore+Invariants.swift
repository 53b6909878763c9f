extension CellStore {
    /// Checks that every cell is in exactly one place, and that all limits hold.
    ///
    /// O(n), between passes, for tests.
    func checkInvariants() {
        precondition(Set(line).count == line.count, "a cell is on screen once")
        precondition(line.count == screen.count, "a row on screen has one cell")
        precondition(
            leaving.isEmpty && lent.isEmpty && touched.isEmpty, "nothing stays lent after a pass")
        precondition(Set(free).count == free.count, "a slot is free once")
        let aged = ageLinks.checkInvariants(of: reserve)
        var counts: [Identifier: Int] = [:]
        for (slot, entry) in entries.enumerated() {
            precondition(free.contains(slot) == (entry.cell == nil), "a free slot has no cell")
            switch entry.place {
            case .screen(let row):
                precondition(screen[row] == slot && line.contains(slot), "a row finds its cell")
            case .reserve:
                precondition(aged.contains(slot), "a waiting cell is in reserve")
            case .free:
                precondition(free.contains(slot), "a slot without a place is free")
                continue
            case .left, .lent:
                preconditionFailure("after a pass, a cell is on screen or in reserve")
            }
            counts[entry.identifier, default: 0] += 1
        }
        precondition(
            line.count + aged.count + free.count == entries.count, "a cell is in one place")
        precondition(
            statistics.created - statistics.dropped == line.count + aged.count,
            "what was made is here or was dropped")
        precondition(counts == kinds.mapValues(\.cells), "each kind knows how many cells it has")
        checkReserves(aged)
    }

    private func checkReserves(_ aged: [Int]) {
        for (identifier, kind) in kinds {
            let slots = links.checkInvariants(of: kind.reserve)
            let expected = aged.filter { entries[$0].identifier == identifier }
            precondition(slots == expected, "a kind's reserve is its part of the whole")
            precondition(slots.count <= limits.capacity(of: identifier), "a reserve has its limit")
            precondition(kind.left.count == 0, "nothing stays between screen and reserve")
        }
        let since = aged.map { slot in
            guard case .reserve(let since) = entries[slot].place else { return 0 }
            return since
        }
        precondition(since == since.sorted(by: >), "a reserve is sorted by age")
        precondition(
            limits.age.map { age in since.allSatisfy { pass - $0 < max(age, 1) } } ?? true,
            "nothing waits longer than it may")
    }
}
