import Synchronization

// A library that knows nothing of Lull, and uses much of Swift's runtime.

protocol Number {
    var value: Int { get }
}

struct Three: Number {
    let value = 3
}

actor Counter {
    private var count = 0

    func increment() -> Int {
        count += 1
        return count
    }
}

/// The count, once it's known.
let result = Atomic(0)

/// Returns 1,003.
@c(other_sum)
public func otherSum() -> CInt {
    result.store(0, ordering: .relaxed)
    Task {
        let counter = Counter()
        for _ in 1..<1000 { _ = await counter.increment() }
        let count = await counter.increment()
        result.store(count, ordering: .releasing)
    }
    let values: [String: Any] = ["three": Three(), "text": "no number"]
    let sum = values.values.compactMap { ($0 as? any Number)?.value }.reduce(0, +)
    while result.load(ordering: .acquiring) == 0 {}
    return CInt(sum + result.load(ordering: .acquiring))
}
