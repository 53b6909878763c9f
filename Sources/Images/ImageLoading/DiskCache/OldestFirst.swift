/// A min-heap, so that no step has to sort all elements.
struct OldestFirst<Element: Comparable> {
    private var elements: [Element] = []

    /// Creates an empty heap.
    init() {}

    /// Adds an element in O(log n).
    mutating func push(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the least element in O(log n).
    mutating func pop() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let least = elements.first else { return last }
        elements[0] = last
        var parent = 0
        while let child = lesserChild(of: parent), elements[child] < elements[parent] {
            elements.swapAt(child, parent)
            parent = child
        }
        return least
    }

    private func lesserChild(of parent: Int) -> Int? {
        let first = 2 * parent + 1
        guard first < elements.count else { return nil }
        let second = first + 1
        return second < elements.count && elements[second] < elements[first] ? second : first
    }
}
