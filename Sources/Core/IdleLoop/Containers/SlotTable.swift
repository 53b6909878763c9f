internal import LullLibC

/// Values in reusable numbered slots, each with a generation that distinguishes new values from
/// old.
///
/// When the last value is removed, slots are used from the first on again, so that values inserted
/// together are neighbours in memory.
///
/// ```swift
/// var names = SlotTable<String>()
/// let id = names.insert("first")
/// names.remove(at: id.index)
/// names.contains(id)  // false, whatever is put there next
/// ```
struct SlotTable<Value>: ~Copyable {
    /// A slot's number and the generation of its current value.
    struct ID: Hashable, Sendable {
        private let number: UInt32
        let generation: UInt32

        init(index: Int, generation: UInt32) {
            number = UInt32(truncatingIfNeeded: index)
            self.generation = generation
        }

        var index: Int { Int(number) }
    }

    private var values = Buffer<Value?>()
    /// The generations, odd while the slot holds a value; they are apart from the values for fast
    /// checks.
    private var generations = Buffer<UInt32>()
    /// The slots below `used` that are free.
    private var free = Buffer<UInt32>()
    /// The number of slots in use so far; all from here on are free.
    private var used = 0

    /// The number of slots that hold a value.
    var count: Int { used &- free.count }

    /// The numbers of the slots that hold a value, in rising order.
    ///
    /// O(n).
    var occupied: [Int] { (0..<used).filter { generations[$0] & 1 == 1 } }

    /// The identifiers of all values, in the order of their slots.
    ///
    /// O(n).
    var ids: [ID] { occupied.map { id(at: $0) } }

    /// Inserts a value into a free slot.
    ///
    /// O(1) amortized.
    mutating func insert(_ value: consuming Value) -> ID {
        let index: Int
        if free.isEmpty {
            index = used
            used &+= 1
        } else {
            index = Int(free.removeLast())
        }
        if index == values.count {
            values.append(value)
            generations.append(1)
            return ID(index: index, generation: 1)
        }
        values[index] = value
        let generation = generations[index] &+ 1
        generations[index] = generation
        return ID(index: index, generation: generation)
    }

    /// Accesses the value in a slot that is known to hold one.
    subscript(index: Int) -> Value {
        @inline(__always) get {
            guard let value = values[index] else { preconditionFailure("an empty slot") }
            return value
        }
        _modify {
            precondition(generations[index] & 1 == 1, "an empty slot")
            yield &values[index]!
        }
    }

    /// Returns the value in a slot; nil if it's free.
    func value(at index: Int) -> Value? {
        0..<used ~= index ? values[index] : nil
    }

    /// Returns whether the slot of `id` still holds the same value.
    func contains(_ id: ID) -> Bool {
        id.index < used && generations[id.index] == id.generation
    }

    /// Returns the identifier of the value in a slot.
    func id(at index: Int) -> ID {
        ID(index: index, generation: generations[index])
    }

    /// Removes and returns a value; the slot's next value has another generation.
    @discardableResult
    mutating func remove(at index: Int) -> Value {
        generations[index] &+= 1
        guard let value = values[index].take() else { preconditionFailure("an empty slot") }
        free.append(UInt32(truncatingIfNeeded: index))
        if free.count == used {
            free.removeAll()
            used = 0
        }
        return value
    }

    /// Replaces a value by another with a new generation; returns the old one.
    mutating func replace(at index: Int, with value: consuming Value) -> Value {
        generations[index] &+= 2
        var value: Value? = value
        swap(&value, &values[index])
        guard let value else { preconditionFailure("an empty slot") }
        return value
    }

    /// Checks that every slot either holds a value or is free.
    ///
    /// O(n), for tests.
    func checkInvariants() {
        let free = Set((0..<self.free.count).map { Int(self.free[$0]) })
        precondition(free.count == self.free.count, "a slot is free once")
        precondition(free.allSatisfy { $0 < used }, "slots are used from the first on")
        for index in 0..<values.count {
            let isFull = index < used && !free.contains(index)
            precondition((values[index] != nil) == isFull, "what isn't free holds a value")
            precondition(
                generations[index] & 1 == (isFull ? 1 : 0), "a full slot's number is odd")
        }
    }
}
