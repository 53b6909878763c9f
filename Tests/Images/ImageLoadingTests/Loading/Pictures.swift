import DeferredLoading
import IdleLoop
import ImageLoading

/// A source of pictures with a loader, one list and all that they need, in a test's measures.
final class Pictures {
    struct Configuration {
        var workers = 1
        var queue = QueueConfiguration()
        var loading = LoaderConfiguration()
        var limits = PictureLimits()

        init() {
            queue.limit = 30
            loading.capacity = 4096
        }
    }

    let source: PictureSource
    let loader: DeferredLoader<PictureRequest, Picture>
    let list: LoadList<PictureRequest, Picture>

    init(
        on loop: MainLoop, store: (any PictureStore<PictureRequest, Picture>)? = nil,
        decoding: PictureDecoding = .inProcess, transport: (any PictureTransport)? = nil,
        configuration: Configuration = Configuration(),
        commit: @escaping (PictureRequest, LoadState<Picture>) -> Void = { _, _ in }
    ) throws {
        let pool =
            configuration.workers > 0
            ? try WorkerPool(width: configuration.workers, on: loop) : nil
        source = PictureSource(
            on: loop, pool: pool, store: store, decoding: decoding, transport: transport,
            limits: configuration.limits)
        loader = DeferredLoader(
            queue: IdleQueue(on: loop, configuration: configuration.queue), source: source,
            configuration: configuration.loading)
        list = loader.list(commit: commit)
    }

    deinit { close() }

    func close() {
        loader.close()
        source.close()
    }

    func subscribe(to request: PictureRequest) { list.subscribe(to: request) }

    func reconcile(with wanted: [Wanted<PictureRequest>]) { list.reconcile(with: wanted) }

    /// Makes room, as when memory is short.
    func trim() {
        loader.trim(to: 0)
        source.giveMemoryBack()
    }
}
