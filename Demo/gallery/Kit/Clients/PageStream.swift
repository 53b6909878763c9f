internal import GalleryWeb

/// The way to tell a page something: a stream of events, or what stands for one in a test.
protocol PageStream: AnyObject {
    /// Whether events can be sent.
    var isOpen: Bool { get }
    /// Told once, when it's over.
    var onClose: (() -> Void)? { get set }
    /// Sends an event; false if it's over, or is closed now, as the page doesn't read.
    @discardableResult
    func send(_ event: String, _ data: String) -> Bool
    /// Ends it.
    func close()
}

extension EventStream: PageStream {}
