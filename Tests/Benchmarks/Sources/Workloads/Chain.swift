import CWorkloads

/// M3: a chain of descriptors, each of whose handlers makes the next one ready.
@safe public final class Chain: Sendable {
    // One thread at a time has it.
    nonisolated(unsafe) private let chain = UnsafeMutablePointer<CWorkloads.chain>.allocate(
        capacity: 1)

    /// "100 fds", "1000 fds" and "10000 fds".
    public static let variants = 0..<Int(CHAIN_VARIANTS)

    /// One variant.
    public init(variant: Int) {
        unsafe chain_open(chain, Int32(variant))
    }

    deinit { unsafe chain.deallocate() }

    /// What the loop shall watch; the handler of the one at `index` is `receive(at: index)`.
    public var descriptors: [Int32] {
        (0..<Int(unsafe chain.pointee.count)).map { unsafe chain.pointee.descriptors[$0] }
    }

    /// Notes the time of the run that ended, and starts another; false when there were enough.
    public func nextRun() -> Bool { unsafe chain_next_run(chain) }

    /// Whether the loop shall go on with the present run.
    public var isRunning: Bool { unsafe chain_is_running(chain) }

    /// A descriptor's handler.
    public func receive(at index: Int) { unsafe chain_receive(chain, Int32(index)) }

    /// Prints the figures and closes the descriptors.
    public func report() { unsafe chain_report(chain) }
}
