import DeferredLoading
import Laboratory
import LullTesting
import ShippedTraces
import Testing

extension Shipped {
    /// A rule by its name.
    static func rule(_ name: String) throws -> NamedPolicy {
        try #require(NamedPolicy.named(name))
    }

    /// A policy by its rule's name, for a shipped trace.
    static func policy(
        _ name: String, for trace: String = "chromium-fling-down-5000",
        options: ReplayOptions = .init()
    ) throws -> any LoadingPolicy {
        try rule(name).make(
            for: .init(trace: self.trace(trace), list: list(trace), options: options))
    }
}
