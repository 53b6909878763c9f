internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel
import TestSupport

/// A list of rows that shares a program's loader, and what should be true of it.
final class RowList {
    private unowned let program: LoaderProgram
    private(set) var list: DeferredList<Key, Value>?
    /// The numbers of the rows' keys; a row may have none.
    private var keys: [Int?]
    /// The values that rows showed last.
    private var shown: [Int: String] = [:]
    private var isClosed = false
    /// Whether it was let go of inside a call that is under way: if it's its own, that goes on.
    private var isLeaving = false
    /// Whether the next question for a key is only answered.
    private var isQuiet = false

    private var choices: Choices { program.choices }

    init(_ program: LoaderProgram, number: Int, sharing loader: LoaderProgram.Loader) {
        self.program = program
        // The same key in many rows, near each other or far apart.
        keys = (0..<40).map { Self.key($0 / number) }
        let rules: [any LoadingPolicy] = [
            .visible, .value, .everything, .within(rows: 3),
        ]
        let (weight, rule) = (1 + program.choices.number(below: 3), choices.one(of: rules))
        let object = program.live.callbacks.make()
        do {
            let layout = try ListLayout(rowCounts: [keys.count], estimates: .init(row: 100))
            var options = ListOptions<Int>(rule: rule, name: "rows \(number)", weight: weight)
            options.layout = { [unowned self] rows in
                program.expect(
                    rows.allSatisfy(keys.indices.contains), "what is laid out are its rows")
                program.react()
            }
            options.tracksMode = number == 1
            options.onLeave = { [unowned self] row in leave(row) }
            list = DeferredList(
                sharing: loader, Viewport(layout, height: choices.one(of: [400, 0, 1000])),
                options: options
            ) { [unowned self] row in
                key(of: row)
            } show: { [unowned self, object] row, state in
                withExtendedLifetime(object) {}
                take(state, row)
            }
        } catch {
            fatalError("\(error)")
        }
    }

    /// Every last one of so many names no value.
    private static func key(_ choice: Int) -> Int? {
        let number = choice % (LoaderProgram.keyCount + 1)
        return number < LoaderProgram.keyCount ? number : nil
    }

    /// A rule may ask of rows that have just gone.
    private func key(of row: Int) -> Key? {
        if isQuiet { isQuiet = false } else { program.reactToQuestion() }
        guard keys.indices.contains(row) else { return nil }
        return keys[row].map { program.key($0) }
    }

    private func take(_ state: LoadState<Value>, _ row: Int) {
        program.expect(!isClosed, "a closed list shows nothing")
        program.expect(keys.indices.contains(row), "what is shown is one of its rows")
        if let value = state.shown, keys.indices.contains(row) {
            program.expect(!program.isClosed, "a closed loader has nothing to show")
            program.expect(value.key == keys[row], "a row shows its own key's value")
            program.expect(value.isWhole == (state.value != nil), "a preview is shown as one")
            program.expect(
                value.version == program.versions[value.key, default: 1], "nothing old is shown")
        }
        shown[row] = words(state)
        program.react()
    }

    private func leave(_ row: Int) {
        program.expect(!isClosed, "a closed list tells nothing")
        program.expect(
            list?.viewport.visibleRows.contains(row) != true, "what has left isn't in view")
        shown[row] = nil
        program.react()
    }

    // MARK: - Actions

    /// Does one thing.
    func act() {
        guard let list else { return }
        let rows = keys.count
        let row = choices.number(below: max(1, rows))
        switch choices.number(below: 16) {
        case 1..<5: list.scrolled(to: Double(50 * row - 100), at: someTime())
        case 5..<8: list.handle(someEvent(to: Double(100 * row)), at: someTime())
        case 8: list.resized(to: choices.one(of: [400, 0, 100, 250]))
        case 9, 10: edit(list, row)
        case 11 where rows > 0:
            let height = choices.one(of: [100.0, 0, 30, 500])
            list.change {
                _ = try? $0.measure(height, of: .row(RowIndex(section: 0, row: row)))
            }
        case 12 where rows > 0 && isOpen:
            if let key = keys[row] { program.raiseVersion(of: key) }
            isQuiet = true  // as nobody knows of the new version yet
            list.invalidate(row: row)
            isQuiet = false
        case 13 where rows > 0: list.retry(row: row)
        case 14: end(list)
        default: _ = (list.explanation(ofRow: row), list.state(ofRow: row), list.forecast)
        }
    }

    /// Events may come late.
    private func someTime() -> Instant {
        program.time.now - .milliseconds(choices.one(of: [0, 0, 20, 400]))
    }

    private func someEvent(to offset: Double) -> ScrollEvent {
        let y = Double(choices.byte())
        return choices.one(of: [
            .wheel, .down(y: y), .moved(y: y), .moved(y: y), .up(y: y), .up(y: y, target: offset),
            .cancelled, .key, .jumpBegan(target: offset), .jumpEnded,
        ])
    }

    /// A row comes, goes, moves or is another, or all are others.
    private func edit(_ list: DeferredList<Key, Value>, _ row: Int) {
        let place = RowIndex(section: 0, row: row)
        let key = Self.key(choices.number(below: 64))
        let target = RowIndex(section: 0, row: choices.number(below: max(1, keys.count)))
        let updates: [ListUpdate]
        switch choices.number(below: 8) {
        case 1 where !keys.isEmpty:
            keys.remove(at: row)
            updates = [.deleteRow(place)]
        case 2 where !keys.isEmpty:
            keys.remove(at: row)
            keys.insert(key, at: target.row)
            updates = [.deleteRow(place), .insertRow(target)]
        case 3 where !keys.isEmpty, 4 where !keys.isEmpty:
            keys.insert(keys.remove(at: row), at: target.row)
            updates = [.moveRow(place, to: target)]
        case 5 where !keys.isEmpty:
            keys[row] = key
            updates = [.reloadRow(place)]
        case 6:
            keys = (0..<choices.number(below: 60)).map { Self.key(row + $0) }
            updates = [.deleteSection(0), .insertSection(0, rows: keys.count)]
        default:
            keys.insert(key, at: row)
            updates = [.insertRow(place)]
        }
        let height = choices.one(of: [100.0, nil, 0, 30])
        let anchor = choices.one(of: [ScrollAnchor.top, .offset, .end(threshold: 50)])
        do {
            try list.perform(updates, anchor: anchor) { _ in height }
        } catch {
            program.expect(isClosed, "an edit that makes sense is done: \(error)")
        }
    }

    private func end(_ list: DeferredList<Key, Value>) {
        if choices.flag() {
            isClosed = true
            list.close()
        } else {
            letGo()
        }
    }

    /// One that is let go of inside its own call comes to the end of that.
    func letGo() {
        if program.isInside { isLeaving = true } else { isClosed = true }
        list = nil
    }

    // MARK: - Laws

    /// Whether it may hold keys and callbacks.
    var isOpen: Bool { list != nil && !isClosed }

    /// The numbers of the keys in view.
    var visibleKeys: [Int] {
        guard let list, !isClosed else { return [] }
        return list.viewport.visibleRows.compactMap { keys[$0] }
    }

    /// Checks what holds whenever nobody is in the middle of something.
    func check(isResting: Bool) {
        if isLeaving { isClosed = true }
        guard let list, !isClosed else { return }
        let rows = list.viewport.visibleRows
        program.expect(
            list.viewport.list.rowCount(inSection: 0) == keys.count, "a list has all of its rows")
        guard list.loader.isOpen else { return }
        for row in rows {
            guard let number = keys[row] else { continue }
            let state = list.loader.state(of: program.key(number))
            if state.shown != nil || state.isSettled || isResting {
                program.expect(shown[row] == words(state), "what is there is shown")
            }
        }
    }
}
