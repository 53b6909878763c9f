internal import GalleryWeb

/// A stream of events to a page, or a test's stand-in.
protocol PageStream: AnyObject {
    /// Whether events can be sent.
    var isOpen: Bool { get }
    /// Called once, when it's over.
    var onClose: (() -> Void)? { get set }
    /// Sends an event; false if it's over, or is closed now, as the page doesn't read.
    @discardableResult
    func send(_ event: String, _ data: String) -> Bool
    /// Ends it.
    func close()
}

extension EventStream: PageStream {}
