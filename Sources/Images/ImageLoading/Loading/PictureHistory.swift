internal import DeferredLoading
internal import IdleLoop

/// What is known of the pictures that were loaded, by which the costs of others are estimated.
struct PictureHistory<Recipe: PictureRecipe> {
    /// The cost of decoding on this machine.
    var costs = DecodingCosts()
    private let recipe: Recipe
    /// The headers of the files that were decoded last.
    private var headers = LRUTable<Recipe.Key, PictureHeader>(capacity: 4096)
    /// The lengths of the files that were fetched from servers last.
    private var lengths = LRUTable<Recipe.Key, Int>(capacity: 4096)

    init(_ recipe: Recipe) { self.recipe = recipe }

    /// Returns the expected cost of making a value on the loop; nil if neither its file's header
    /// nor its length is known.
    func cost(of key: Recipe.Key, byteCount: Int?) -> Duration? {
        if let header = headers[key] {
            return costs.estimate(header, fitting: recipe.decodingSize(of: key, header))
        }
        return byteCount.map {
            costs.estimate(fileBytes: $0, fitting: recipe.targetSize(of: key))
        }
    }

    /// Returns the time that a worker takes to decode a picture; zero if it doesn't, by its header.
    func workerCost(of key: Recipe.Key, in places: PicturePlaces) -> Duration {
        guard let header = headers[key] else { return .zero }
        let size = recipe.decodingSize(of: key, header)
        guard places.place(of: header, fitting: size) == .worker else { return .zero }
        return costs.bound(header, fitting: size)
    }

    /// Returns the kind of a key's load: the server of its file and the file's length, or the size
    /// that it is decoded to.
    ///
    /// A file that was fetched before may be in the transport's cache: such transfers are of another
    /// kind than others from their server.
    func kind(of key: Recipe.Key, _ origin: PictureOrigin, byteCount: Int?) -> WorkKind {
        guard case .url(let url) = origin else {
            let size = recipe.targetSize(of: key)
            return WorkKind(size.width &<< 32 ^ size.height, size: byteCount)
        }
        let length = lengths[key]
        let server = url.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//")
        return WorkKind(
            length == nil ? server : "\(server) again", size: byteCount ?? length)
    }

    /// Records the length of a key's file, which has been fetched.
    mutating func transferred(_ key: Recipe.Key, length: Int) { lengths.insert(length, for: key) }

    /// Records a header, and the times that decoding and the whole load took.
    mutating func learn(
        _ header: PictureHeader?, _ key: Recipe.Key, decoding: Duration, spent: Duration
    ) {
        guard let header else { return }
        headers.insert(header, for: key)
        costs.learn(decoding, of: header, fitting: recipe.decodingSize(of: key, header))
        costs.learn(spent, ofFileBytes: header.fileBytes, fitting: recipe.targetSize(of: key))
    }
}
