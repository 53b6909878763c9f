/// Values in numbered slots that are used again, each with a generation that tells old from new.
struct SlotTable<Value> {
    /// A slot's number and the generation of its present value.
    struct ID: Hashable, Sendable {
        let index: Int
        let generation: UInt64
    }

    private var slots: [(value: Value?, generation: UInt64)] = []
    private var free: [Int] = []

    /// How many slots hold a value.
    var count: Int { slots.count - free.count }

    /// Puts a value into a free slot.
    ///
    /// O(1) amortized.
    mutating func insert(_ value: Value) -> ID {
        if let index = free.popLast() {
            slots[index].value = value
            return ID(index: index, generation: slots[index].generation)
        }
        slots.append((value, 0))
        return ID(index: slots.count - 1, generation: 0)
    }

    /// The value in a slot that is known to hold one.
    subscript(index: Int) -> Value {
        get {
            guard let value = slots[index].value else { preconditionFailure("an empty slot") }
            return value
        }
        _modify {
            precondition(slots[index].value != nil, "an empty slot")
            yield &slots[index].value!
        }
    }

    /// The names of all values, in the order of their slots.
    ///
    /// O(n).
    var ids: [ID] {
        slots.indices.filter { slots[$0].value != nil }.map { id(at: $0) }
    }

    /// Whether `id` still names the value that it was made for.
    func contains(_ id: ID) -> Bool {
        id.index < slots.count && slots[id.index].generation == id.generation
            && slots[id.index].value != nil
    }

    /// The name of the value in a slot.
    func id(at index: Int) -> ID {
        ID(index: index, generation: slots[index].generation)
    }

    /// Takes the value out; the slot's next value has another generation.
    @discardableResult
    mutating func remove(at index: Int) -> Value {
        guard let value = slots[index].value else { preconditionFailure("an empty slot") }
        slots[index].value = nil
        slots[index].generation += 1
        free.append(index)
        return value
    }
}
