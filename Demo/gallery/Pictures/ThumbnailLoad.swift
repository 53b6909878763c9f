internal import DeferredLoading
internal import IdleLoop
internal import ImageLoading

/// A small picture being made on the loop: decoded from the bytes of its file, then encoded.
final class ThumbnailLoad: Load {
    private enum Stage {
        case given(Thumbnail)
        case decoding(PictureJob)
        case encoding(ThumbnailEncoder)
        case failed(ThumbnailFailure)
    }

    private let source: ThumbnailSource
    private let key: ThumbnailKey
    private let header: PictureHeader?
    private var stage: Stage
    /// The longest step so far: what may follow when there is hardly any time left.
    private var grain = Duration.zero
    private var spent = Duration.zero

    /// One that is there already.
    init(_ thumbnail: Thumbnail, _ key: ThumbnailKey, of source: ThumbnailSource) {
        self.source = source
        self.key = key
        header = nil
        stage = .given(thumbnail)
    }

    /// One to be made of a file that was read.
    init(_ picture: ReadPicture, _ key: ThumbnailKey, of source: ThumbnailSource) {
        self.source = source
        self.key = key
        header = picture.header
        stage = .decoding(source.maker.decoder(key, of: picture))
    }

    /// The memory of the decoder or the encoder, besides the file.
    var size: Int {
        switch stage {
        case .given, .failed: 0
        case .decoding:
            (header?.estimatedMemory ?? 0) + 4 * key.size.box.width * key.size.box.height
        case .encoding(let encoder): encoder.size + Thumbnail.byteLimit
        }
    }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Thumbnail> {
        var last = slot.now
        repeat {
            if case .given(let thumbnail) = stage { return .done(thumbnail) }
            let thumbnail = try advance()
            let now = slot.now
            let took = last.duration(to: now)
            spent += took
            if let thumbnail {
                stage = .given(thumbnail)
                source.made(thumbnail, key, fileBytes: header?.fileBytes ?? 0, spent: spent)
                return .done(thumbnail)
            }
            grain = max(grain, took)
            last = now
        } while last.advanced(by: grain) < slot.sliceEnd
        return .more
    }

    private func advance() throws(ThumbnailFailure) -> Thumbnail? {
        if case .failed(let failure) = stage { throw failure }
        do throws(PictureError.Reason) {
            let thumbnail = try makeSome()
            source.onStep?(key)
            return thumbnail
        } catch {
            let failure = source.failed(key, .picture(error))
            stage = .failed(failure)
            throw failure
        }
    }

    private func makeSome() throws(PictureError.Reason) -> Thumbnail? {
        switch stage {
        case .given(let thumbnail): return thumbnail
        case .failed: return nil
        case .encoding(let encoder): return try encoder.step()
        case .decoding(let decoder):
            guard case .done(let picture) = try step(decoder) else { return nil }
            if let header { source.decoded(header, key, spent: spent) }
            stage = .encoding(ThumbnailEncoder(picture))
            return nil
        }
    }

    private func step(_ decoder: PictureJob) throws(PictureError.Reason) -> PictureJob.Step {
        do throws(PictureError) {
            return try decoder.step()
        } catch {
            throw error.reason
        }
    }
}
