@testable import GalleryKit

/// A stream to a page that a test holds the other end of.
final class TestStream: PageStream {
    private(set) var isOpen = true
    var onClose: (() -> Void)?
    private(set) var names: [String] = []

    func send(_ event: String, _ data: String) -> Bool {
        if isOpen { names.append(event) }
        return isOpen
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        onClose?()
    }

    func count(_ name: String) -> Int { names.count { $0 == name } }
}
