public import CLull
internal import IdleLoop

/// The posts of other threads that a loop has not called yet.
///
/// Guarded by a lock, since a loop may be closed while other threads post.
struct Mailbox: Sendable {
    private static let boxes = Guarded<[Handle: Mailbox]>([:])
    private static let capacity = 65_536

    private let inbox: Inbox
    private var posts: [Post] = []
    /// The number of posts that have been called.
    private var called = 0

    /// Allows posts to a loop.
    static func open(_ handle: Handle, _ inbox: Inbox) {
        boxes.withLock { $0[handle] = Mailbox(inbox: inbox) }
    }

    /// Adds a post, which is one message of the inbox: the loop may poll after each.
    static func add(_ post: Post, to handle: Handle) -> lull_status {
        boxes.withLock { boxes in
            // Mutated in place: a copy of the mailbox would share its posts and make them copied.
            guard let index = boxes.index(forKey: handle) else { return LULL_STALE }
            return boxes.values[index].add(post, to: handle)
        }
    }

    private mutating func add(_ post: Post, to handle: Handle) -> lull_status {
        guard posts.count - called < Self.capacity else { return LULL_FULL }
        guard inbox.postAnyway({ _ in Self.deliver(to: handle) }) else { return LULL_STALE }
        posts.append(post)
        return LULL_OK
    }

    /// Calls the oldest post: each post has one message.
    private static func deliver(to handle: Handle) {
        guard let guest = unsafe try? GuestLoop.named(handle.pointer),
            let post = boxes.withLock({ boxes in
                boxes.index(forKey: handle).flatMap { boxes.values[$0].popFirst() }
            })
        else { return }
        guest.deliver([post])
    }

    /// Removes and returns the first post; O(1) amortized.
    private mutating func popFirst() -> Post? {
        guard called < posts.count else { return nil }
        let post = posts[called]
        called += 1
        if 2 * called >= posts.count {
            posts = Array(waiting)
            called = 0
        }
        return post
    }

    private var waiting: ArraySlice<Post> { posts[called...] }

    /// Empties a forked child's copy; false if another thread was posting at the fork.
    static func renew(_ handle: Handle) -> Bool {
        boxes.withLockIfAvailable { boxes in
            boxes[handle] = boxes[handle].map { Mailbox(inbox: $0.inbox) }
        } != nil
    }

    /// Stops posts to a loop, and returns those that it has not called.
    static func close(_ handle: Handle) -> [Post] {
        boxes.withLock { Array($0.removeValue(forKey: handle)?.waiting ?? []) }
    }
}

/// A C function and its context, as plain numbers: C may pass them between threads.
struct Post: Sendable {
    private let function: UInt
    private let context: UInt

    init(_ function: @escaping LoopCallback, _ context: UnsafeMutableRawPointer?) {
        self.function = unsafe unsafeBitCast(function, to: UInt.self)
        self.context = UInt(bitPattern: context)
    }

    func call(on handle: Handle) {
        let function = unsafe unsafeBitCast(function, to: LoopCallback.self)
        unsafe function(handle.pointer, UnsafeMutableRawPointer(bitPattern: context))
    }
}

/// The type of C's functions for posts and timers.
typealias LoopCallback = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void

/// Calls a function on the loop's thread; see lull.h.
@c @implementation
public func lull_post(
    _ loop: OpaquePointer!,
    _ call: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void)!,
    _ context: UnsafeMutableRawPointer!
) -> lull_status {
    let known = unsafe lull_check(UnsafeRawPointer(loop), LULL_KIND_LOOP)
    guard known == LULL_OK else { return known }
    guard let call = unsafe call else { return LULL_INVALID }
    return unsafe Mailbox.add(Post(call, context), to: Handle(loop))
}
