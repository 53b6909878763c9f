extension CellStore {
    /// Begins a pass: the cells of all rows but these leave the screen.
    ///
    /// O(rows + cells on screen).
    mutating func begin(_ rows: some Collection<Index>, following edit: (Index) -> Index?) {
        pass += 1
        rename(following: edit)
        for row in rows {
            if let slot = screen[row] { entries[slot].wanted = pass }
        }
        for slot in line where entries[slot].wanted != pass { leave(slot) }
        for identifier in touched { kinds[identifier, default: Kind()].left.seal() }
        line.removeAll(keepingCapacity: true)
    }

    /// Keeps the cell of a row that is on screen already.
    ///
    /// - Returns: Whether there is one.
    mutating func keep(_ row: Index, position: Int) -> Bool {
        guard let slot = screen[row] else { return false }
        precondition(entries[slot].placed != pass, "a row is laid out once in a pass")
        show(slot, row: row, position: position)
        return true
    }

    /// Lends a cell to the row at `position`; O(log n).
    mutating func lend(
        _ identifier: Identifier, position: Int, prepare: (inout Cell) -> Void, make: () -> Cell
    ) -> (cell: Cell, slot: Int, number: Int) {
        let slot: Int
        let cell: Cell
        if let found = takeLeft(identifier, position) ?? takeNewest(identifier) {
            slot = found
            cell = prepared(found, by: prepare)
        } else {
            cell = make()
            slot = insert(cell, identifier)
            statistics.created += 1
        }
        leases += 1
        entries[slot].lease = leases
        lent.append(slot)
        return (cell, slot, leases)
    }

    /// Places one of the lent cells at its row and takes the others back.
    mutating func settle(_ cell: Cell, slot: Int, number: Int, row: Index, position: Int) {
        precondition(
            lent.contains(slot) && entries[slot].lease == number,
            "a row shows a cell that was lent for it")
        entries[slot].cell = cell
        screen[row] = slot
        show(slot, row: row, position: position)
        for other in lent where other != slot { takeBack(other) }
        lent.removeAll(keepingCapacity: true)
    }

    /// Ends a pass: what nobody took goes into reserve, and what is too much or too old is dropped.
    ///
    /// O(cells that left + cells dropped).
    mutating func end() -> (hidden: [Cell], dropped: [Cell]) {
        var hidden: [Cell] = []
        for slot in leaving {
            guard case .left = entries[slot].place, let cell = entries[slot].cell else { continue }
            hidden.append(cell)
            putIntoReserve(slot)
        }
        leaving.removeAll(keepingCapacity: true)
        for identifier in touched { kinds[identifier]?.left.removeAll() }
        let dropped = trim()
        touched.removeAll(keepingCapacity: true)
        return (hidden, dropped)
    }

    /// Takes all cells out of the reserves, the oldest first.
    mutating func drain() -> [Cell] {
        var cells: [Cell] = []
        while let slot = reserve.last { cells.append(remove(slot)) }
        statistics.drained += cells.count
        return cells
    }
}

extension CellStore {
    /// Gives the cells on screen their rows' new names; those whose rows are gone stay without.
    private mutating func rename(following edit: (Index) -> Index?) {
        screen.removeAll(keepingCapacity: true)
        for slot in line {
            guard case .screen(let old) = entries[slot].place, let row = edit(old) else { continue }
            let other = screen.updateValue(slot, forKey: row)
            precondition(other == nil, "two rows don't become one")
            entries[slot].place = .screen(row)
        }
    }

    private mutating func leave(_ slot: Int) {
        if case .screen(let row) = entries[slot].place, screen[row] == slot { screen[row] = nil }
        let identifier = entries[slot].identifier
        touch(identifier)
        let place = kinds[identifier, default: Kind()].left
            .append(slot, position: entries[slot].position)
        entries[slot].place = .left(place)
        leaving.append(slot)
    }

    private mutating func show(_ slot: Int, row: Index, position: Int) {
        entries[slot].place = .screen(row)
        entries[slot].position = position
        entries[slot].placed = pass
        line.append(slot)
    }

    private mutating func takeLeft(_ identifier: Identifier, _ position: Int) -> Int? {
        guard let place = kinds[identifier]?.left.take(nearestTo: position) else { return nil }
        guard let slot = kinds[identifier]?.left.slot(at: place) else { return nil }
        entries[slot].place = .lent(from: place)
        return slot
    }

    private mutating func takeNewest(_ identifier: Identifier) -> Int? {
        guard let slot = kinds[identifier]?.reserve.first else { return nil }
        takeFromReserve(slot)
        entries[slot].place = .lent(from: nil)
        return slot
    }

    private mutating func prepared(_ slot: Int, by prepare: (inout Cell) -> Void) -> Cell {
        guard var cell = entries[slot].cell.take() else { preconditionFailure("a slot has a cell") }
        prepare(&cell)
        entries[slot].cell = cell
        statistics.reused += 1
        return cell
    }

    private mutating func takeBack(_ slot: Int) {
        guard case .lent(from: let place?) = entries[slot].place else {
            return putIntoReserve(slot)
        }
        kinds[entries[slot].identifier, default: Kind()].left.putBack(place)
        entries[slot].place = .left(place)
    }

    private mutating func trim() -> [Cell] {
        var dropped: [Cell] = []
        if let age = limits.age {
            while let slot = reserve.last, case .reserve(let since) = entries[slot].place,
                pass - since >= age
            {
                dropped.append(remove(slot))
                statistics.droppedByAge += 1
            }
        }
        for identifier in touched {
            let capacity = limits.capacity(of: identifier)
            while let reserve = kinds[identifier]?.reserve, reserve.count > capacity,
                let slot = reserve.last
            {
                dropped.append(remove(slot))
                statistics.droppedByCapacity += 1
            }
        }
        return dropped
    }
}
