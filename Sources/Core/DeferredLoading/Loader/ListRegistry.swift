internal import IdleLoop
internal import LullLibC

/// A loader's open lists, to which it delivers results.
final class ListRegistry<Key: Hashable, Value> {
    typealias Entry = KeyedEntry<Key, Value>
    typealias List = ListState<Key, Value>

    private var lists: [Int: List] = [:]
    /// The number of lists that were ever made.
    private var made = 0

    var count: Int { lists.count }

    /// Makes a list with a new number, which isn't open yet.
    func makeList(
        named name: String, weight: Int, commit: @escaping List.Callback
    ) -> List {
        made += 1
        return List(number: made, name: name, weight: weight, commit: commit)
    }

    func open(_ list: List) { lists[list.number] = list }

    func close(_ list: List) { lists[list.number] = nil }

    func isOpen(_ list: List) -> Bool { lists[list.number] != nil }

    /// Closes all lists and releases their callbacks, which may call back.
    func closeAll() {
        for list in lists.values { list.close() }
        lists = [:]
    }

    /// Delivers what can be shown of a key to the lists that had subscribed to it by then.
    func deliver(_ entry: Entry, version: UInt64) {
        for (number, since) in entry.subscribers where since < version {
            guard !entry.isGone, entry.version == version else { return }
            lists[number]?.deliver(entry, since: since)
        }
    }

    /// Checks that lists and entries know each other.
    ///
    /// O(n), for tests.
    func checkInvariants(with entries: [Entry]) {
        for entry in entries {
            for (number, since) in entry.subscribers {
                precondition(
                    lists[number]?.isSubscribed(to: entry.key, since: since) ?? false,
                    "lists know their keys")
            }
        }
        for list in lists.values {
            precondition(list.subscribed.allSatisfy { !$0.isGone }, "a subscribed key is known")
        }
    }
}
