import DeferredLoading
import IdleLoop

/// A source whose loads tell D7's watch when they begin a slice; what they are made of is another's.
struct WatchedSource<Base: LoadSource>: LoadSource {
    let base: Base
    let watch: FrameWatch

    func cost(of key: Base.Key) -> Duration? { base.cost(of: key) }
    func kind(of key: Base.Key) -> WorkKind? { base.kind(of: key) }

    func fetch(_ key: Base.Key) -> Fetch<Base.Fetched>? { base.fetch(key) }

    func load(_ key: Base.Key, fetched: Base.Fetched?) throws -> any Load<Base.Value> {
        WatchedLoad(base: try base.load(key, fetched: fetched), watch: watch)
    }

    func size(of value: Base.Value) -> Int { base.size(of: value) }

    func size(ofFetched fetched: Base.Fetched) -> Int { base.size(ofFetched: fetched) }

    func retry(_ key: Base.Key, after error: any Error, failures: Int) -> LoadRetry {
        base.retry(key, after: error, failures: failures)
    }
}

private final class WatchedLoad<Value>: Load {
    private let base: any Load<Value>
    private let watch: FrameWatch

    init(base: any Load<Value>, watch: FrameWatch) {
        self.base = base
        self.watch = watch
    }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Value> {
        watch.workBegins()
        return try base.step(in: slot)
    }

    var share: Double? { base.share }

    var size: Int { base.size }
}
