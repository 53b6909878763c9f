@testable import GalleryKit

/// A stream to a page that a test holds the other end of.
final class TestStream: PageStream {
    private(set) var isOpen = true
    var onClose: (() -> Void)?
    private(set) var names: [String] = []
    /// The rows whose pictures it was told of.
    private(set) var rows: [Int] = []

    func send(_ event: String, _ data: String) -> Bool {
        if isOpen {
            names.append(event)
            if event == "thumbs" { rows += Self.rows(in: data) }
        }
        return isOpen
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        onClose?()
    }

    func count(_ name: String) -> Int { names.count { $0 == name } }

    /// The rows that an event of pictures or failures tells of.
    static func rows(in data: String) -> [Int] {
        data.matches(of: /\[([0-9]+),/).compactMap { Int($0.output.1) }
    }
}
