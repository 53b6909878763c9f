internal import DeferredLoading
internal import IdleLoop
import TestSupport

// What a program may do at any moment, from inside a callback too.
extension LoaderProgram {
    /// Does one thing.
    func act() {
        switch choices.number(below: 36) {
        case 1..<5: reconcile()
        case 5..<8: subscribe()
        case 8: unsubscribe()
        case 9: invalidate()
        case 10: loader?.retry(someKey())
        case 11: trim()
        case 12, 13: settle()
        case 14: takeValue()
        case 15: makeList()
        case 16: closeList()
        case 17: changeListeners()
        case 18: endLoader()
        case 19: useQueue()
        case 20: useLoop()
        case 21: endOperation()
        case 22: ask()
        case 23, 24: makeRows()
        case 25..<35: if !rowLists.isEmpty { choices.one(of: rowLists).act() }
        default: time.charge(.milliseconds(choices.number(below: 4)))
        }
    }

    func someKey() -> Key { key(choices.number(below: Self.keyCount)) }

    /// A list that is held, the first if there's no other.
    private func someList() -> (number: Int, list: LoadList<Key, Value>?) {
        let number = choices.number(below: 4)
        guard let list = lists[number] else { return (0, lists[0]) }
        return (number, list)
    }

    private func reconcile() {
        let (number, _) = someList()
        let count = choices.one(of: [1, 0, 2, 4, 9])
        let wishes = (0..<count).map { place in
            let byte = Int(choices.byte())
            return Wanted(
                key(byte % Self.keyCount),
                urgency: Urgency.allCases[byte / Self.keyCount % Urgency.allCases.count],
                rank: byte == 255 ? .max : byte == 254 ? .min : place)
        }
        let reason: ((Key) -> String?)? =
            choices.flag()
            ? { [unowned self] _ in
                react()
                return nil
            } : nil
        want(wishes, in: number, reason: reason)
    }

    /// Has a list want keys.
    func want(_ wishes: [Wanted<Key>], in number: Int, reason: ((Key) -> String?)? = nil) {
        if !isClosed, !closedLists.contains(number) {
            wanted[number] = Set(wishes.map(\.key.number))
        }
        lists[number]?.reconcile(with: wishes, reason: reason)
    }

    private func trim() {
        let share = choices.one(of: [0.5, 0, 1, 0.1])
        guard share == 1, let bytes = limits.byteLimit else {
            loader?.trim(to: share)
            return
        }
        let limit = bytes > 150 ? 150 : 1000
        limits.byteLimit = limit
        loader?.limitBytes(to: limit)
    }

    private func subscribe() {
        let (number, list) = someList()
        let (place, key) = (choices.number(below: 4), someKey())
        // There are four places: who has this one leaves, and may let go of the list as it does.
        unsubscribe(number, list, from: place)
        guard let list, lists[number] === list else { return }
        if !isClosed, !closedLists.contains(number) {
            let isNew = subscribed[number, default: []].insert(key.number).inserted
            if isNew { told[number]?[key.number] = nil }
        }
        list.subscribe(to: key)
    }

    private func unsubscribe() {
        let (number, list) = someList()
        unsubscribe(number, list, from: choices.number(below: 4))
    }

    /// Ends the subscription at a place; if there's none, of a key that may have one.
    private func unsubscribe(_ number: Int, _ list: LoadList<Key, Value>?, from place: Int) {
        guard let list else { return }
        let key = list.subscriptions.dropFirst(place).first ?? key(place)
        subscribed[number]?.remove(key.number)
        list.unsubscribe(from: key)
    }

    private func invalidate() {
        let key = someKey()
        guard let loader else { return }
        raiseVersion(of: key.number)
        loader.invalidate(key)
    }

    private func settle() {
        let key = someKey()
        guard choices.number(below: 4) < 3 else {
            loader?.settle(key, .failure(Trouble()))
            return
        }
        let value = Value(key.number, version: version(of: key), of: self)
        loader?.settle(key, .success(value))
    }

    private func takeValue() {
        let key = someKey()
        guard let value = loader?.value(of: key) else { return }
        expect(value.key == key.number, "a key has its own value")
        expect(
            value.version == version(of: key) || changedInside.contains(key.number),
            "nothing old is handed on")
    }

    private func makeList() {
        guard listCount < 3 else { return }
        listCount += 1
        let number = listCount
        lists[number] = loader?.list(
            named: "\(number)", weight: 1 + choices.number(below: 3), commit: commit(to: number))
        if loader?.isOpen != true { closedLists.insert(number) }
    }

    private func closeList() {
        let (number, list) = someList()
        // The first is there to the end, for all that is visible to come.
        guard number > 0, let list else { return }
        (subscribed[number], wanted[number]) = (nil, nil)
        if choices.flag() {
            closedLists.insert(number)
            list.close()
        } else {
            if isInside { leavingLists.insert(number) }
            lists[number] = nil
        }
    }

    private func makeRows() {
        if rowLists.count == 4, !isInside { rowLists.removeAll { !$0.isOpen } }
        guard rowLists.count < 4, let loader, loop?.isClosed == false else { return }
        rowLists.append(RowList(self, number: 1 + rowLists.count % 2, sharing: loader))
    }

    private func changeListeners() {
        if choices.flag() { stopListening() } else { listen() }
    }

    private func endLoader() {
        guard isMortal, let loader, choices.number(below: 4) == 3 else { return }
        let isKept = choices.flag()
        // One that is let go of inside its own call comes to the end of that.
        guard isKept else { return self.loader = nil }
        isClosed = true
        (subscribed, wanted) = ([:], [:])
        loader.close()
    }

    private func useQueue() {
        switch choices.number(below: isMortal ? 8 : 4) {
        case 0: queue?.cancel(someKey())
        case 1: queue?.cancelAll()
        case 4: queue?.close()
        case 5: queue?.shutDown(within: .milliseconds(choices.number(below: 4)))
        case 6: queue = nil
        default: _ = queue?.count
        }
    }

    private func useLoop() {
        guard let loop else { return }
        switch choices.number(below: 6) {
        case 0: loop.stop()
        case 1 where isMortal && choices.flag(): loop.close()
        case _ where loop.isClosed: break
        default:
            loop.schedule(after: .milliseconds(choices.number(below: 8))) { [unowned self] in
                react()
                act()
            }
        }
    }

    private func endOperation() {
        guard !unended.isEmpty else { return }
        unended.remove(at: choices.number(below: unended.count)).end(fails: choices.flag())
    }

    private func ask() {
        let key = someKey()
        guard let loader else { return }
        let facts = loader.facts { [unowned self] row in row < 0 ? nil : self.key(row) }
        _ = loader.state(of: key).shown
        _ = (facts.progress(ofRow: key.number), facts.costHint(ofRow: key.number))
        _ = (facts.fetchHint(ofRow: key.number), loader.count, loader.byteCount)
        _ = (facts.usualCost, facts.usualFetch, facts.fetches, facts.capacity)
    }
}
