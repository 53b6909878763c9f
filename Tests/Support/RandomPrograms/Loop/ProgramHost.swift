public import IdleLoop

/// A loop that the loops of a random program are guests of.
public protocol ProgramHost: AnyObject {
    /// Makes a guest.
    func adopt(inboxCapacity: Int) throws -> MainLoop
    /// Dispatches what is ready, unless that is being done.
    func dispatch()
    /// Whether its guests, which are gone, have left nothing behind.
    var isEmpty: Bool { get }
}
