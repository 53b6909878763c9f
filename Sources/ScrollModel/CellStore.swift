/// Where each cell of a reuse pool is, and how it comes from one place to the next.
///
/// A cell is in exactly one place: on screen; left, when its row went and the pass isn't over; lent
/// to the row that is being laid out; or in reserve.
///
/// ```text
/// screen ▶ left ▶ lent ▶ screen           within one pass
/// screen ▶ left ▶ reserve ▶ lent ▶ …      when nobody took it
/// ```
///
/// A lent cell that isn't placed goes back to where it came from.
struct CellStore<Identifier: Hashable, Index: Hashable, Cell> {
    enum Place {
        case screen(Index)
        case left(Int)
        case lent(from: Int?)
        case reserve(since: Int)
        case free
    }

    struct Entry {
        var identifier: Identifier
        var cell: Cell?
        var place: Place
        /// The number of the row that it shows or showed last.
        var position = 0
        /// Tells this lease of the cell from all others.
        var lease = 0
        /// The last pass in which its row was among those to be shown.
        var wanted = 0
        /// The last pass in which it was given a place on screen.
        var placed = 0
    }

    struct Kind {
        var cells = 0
        var left = NearestSlots()
        var reserve = SlotLinks.List()
        /// The last pass in which cells left the screen or came into reserve.
        var touched = 0
    }

    let limits: ReuseLimits<Identifier>
    var statistics = ReuseStatistics()

    var entries: [Entry] = []
    var free: [Int] = []
    var kinds: [Identifier: Kind] = [:]
    /// The cells on screen by row, and in the order of their rows.
    var screen: [Index: Int] = [:]
    var line: [Int] = []
    /// Each kind's reserve is linked from the newest to the oldest, and so are all together.
    var links = SlotLinks()
    var ageLinks = SlotLinks()
    var reserve = SlotLinks.List()

    var pass = 0
    var leases = 0
    /// The cells that left the screen in the present pass, those lent to the present row, and the
    /// kinds touched.
    var leaving: [Int] = []
    var lent: [Int] = []
    var touched: [Identifier] = []

    init(limits: ReuseLimits<Identifier>) {
        self.limits = limits
    }

    /// Puts a new cell into a slot, lent to the present row.
    mutating func insert(_ cell: Cell, _ identifier: Identifier) -> Int {
        kinds[identifier, default: Kind()].cells += 1
        let entry = Entry(identifier: identifier, cell: cell, place: .lent(from: nil))
        guard let slot = free.popLast() else {
            entries.append(entry)
            return entries.count - 1
        }
        entries[slot] = entry
        return slot
    }

    /// Takes a cell that is in reserve out of the pool.
    mutating func remove(_ slot: Int) -> Cell {
        takeFromReserve(slot)
        let identifier = entries[slot].identifier
        kinds[identifier, default: Kind()].cells -= 1
        if kinds[identifier]?.cells == 0 { kinds[identifier] = nil }
        entries[slot].place = .free
        free.append(slot)
        guard let cell = entries[slot].cell.take() else { preconditionFailure("a slot has a cell") }
        return cell
    }

    mutating func putIntoReserve(_ slot: Int) {
        let identifier = entries[slot].identifier
        touch(identifier)
        entries[slot].place = .reserve(since: pass)
        links.prepend(slot, to: &kinds[identifier, default: Kind()].reserve)
        ageLinks.prepend(slot, to: &reserve)
    }

    mutating func takeFromReserve(_ slot: Int) {
        links.remove(slot, from: &kinds[entries[slot].identifier, default: Kind()].reserve)
        ageLinks.remove(slot, from: &reserve)
    }

    /// Notes that a kind is to be looked at when the pass ends.
    mutating func touch(_ identifier: Identifier) {
        guard kinds[identifier, default: Kind()].touched != pass else { return }
        kinds[identifier, default: Kind()].touched = pass
        touched.append(identifier)
    }
}

extension CellStore: Sendable where Identifier: Sendable, Index: Sendable, Cell: Sendable {}
extension CellStore.Place: Sendable where Index: Sendable {}
extension CellStore.Entry: Sendable where Identifier: Sendable, Index: Sendable, Cell: Sendable {}
extension CellStore.Kind: Sendable {}
