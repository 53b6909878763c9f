/// Elements that are taken one by one, the earliest first, each without another reference to it.
///
/// All of them have to be taken before the memory of the first is used again: it's for batches.
package struct Backlog<Element> {
    private var elements: [Element?] = []
    private var next = 0

    package init() {}

    var isEmpty: Bool { next == elements.count }

    /// The number of elements that were not taken.
    var count: Int { elements.count - next }

    /// The elements that were not taken.
    package var rest: [Element] { elements[next...].compactMap(\.self) }

    package mutating func append(_ element: Element) {
        if isEmpty, next > 0 {
            elements.removeAll(keepingCapacity: true)
            next = 0
        }
        elements.append(element)
    }

    /// Removes and returns the first element.
    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        var element: Element?
        swap(&element, &elements[next])
        next += 1
        return element
    }
}

extension Backlog: Sendable where Element: Sendable {}
