public import CLull
internal import IdleLoop
internal import LullCalls

/// The posts of other threads that a loop has not called yet.
///
/// Guarded by a lock, since a loop may be closed while other threads post.
struct PostQueue: Sendable {
    private static let queues = Guarded<[Handle: PostQueue]>([:])
    private static let capacity = 65_536

    private let inbox: Inbox
    private var posts: [Post] = []
    /// The number of posts that have been called.
    private var called = 0

    /// Allows posts to a loop.
    static func open(_ handle: Handle, _ inbox: Inbox) {
        queues.withLock { $0[handle] = PostQueue(inbox: inbox) }
    }

    /// Adds a post, which is one message of the inbox: the loop may poll after each.
    static func add(_ post: Post, to handle: Handle) throws(StatusError) -> lull_status {
        let status = queues.withLock { queues in
            // Mutated in place: a copy of the queue would share its posts and make them copied.
            guard let index = queues.index(forKey: handle) else { return LULL_STALE }
            return queues.values[index].add(post, to: handle)
        }
        switch status {
        case LULL_OK: return status
        case LULL_FULL: throw StatusError(status, "\(capacity) posts wait for the loop")
        default: throw unsafe LULL_KIND_LOOP.refusal(of: handle.pointer, as: status)
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
        guard let object = unsafe try? CLoop.named(handle.pointer),
            let post = queues.withLock({ queues in
                queues.index(forKey: handle).flatMap { queues.values[$0].popFirst() }
            })
        else { return }
        object.deliver([post])
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
        queues.withLockIfAvailable { queues in
            queues[handle] = queues[handle].map { PostQueue(inbox: $0.inbox) }
        } != nil
    }

    /// Stops posts to a loop, and returns those that it has not called.
    static func close(_ handle: Handle) -> [Post] {
        queues.withLock { Array($0.removeValue(forKey: handle)?.waiting ?? []) }
    }
}

/// A C function and its context.
///
/// Not checked, since C may pass them between threads: they are used on the loop's own.
@safe
struct Post: Sendable {
    private nonisolated(unsafe) let function: LoopCallback
    private nonisolated(unsafe) let context: UnsafeMutableRawPointer?

    init(_ function: @escaping LoopCallback, _ context: UnsafeMutableRawPointer?) {
        unsafe self.function = function
        unsafe self.context = context
    }

    func call(on handle: Handle) {
        unsafe function(handle.pointer, context)
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
    return status { () throws(StatusError) in
        guard known == LULL_OK else {
            throw unsafe LULL_KIND_LOOP.refusal(of: loop, as: known)
        }
        let call = try unsafe given(call, "call")
        return try unsafe PostQueue.add(Post(call, context), to: Handle(loop))
    }
}
