import Glibc
import IdleLoop
import ImageLoading

// What helpers say, none of which is believed before it has been checked.
extension IsolatedDecoder {
    /// Reads what a helper has said.
    func read(_ helper: Helper) {
        switch helper.channel.receive(waits: false) {
        case .nothing: break
        case .closed:
            // Whether it has ended or only closed the connection, its end tells why.
            helper.hangUp()
        case .garbage: lied(helper, .garbage)
        case .noRoom: missed(helper)
        case .message(let message, let file):
            guard let reply = HelperReply(message) else { return lied(helper, .garbage) }
            take(reply, file, from: helper)
        }
    }

    private func take(
        _ reply: HelperReply, _ file: consuming Descriptor?, from helper: Helper
    ) {
        let hasFile = file != nil
        switch helper.life {
        case .starting:
            guard reply.id == 0, reply.outcome == .ready, !hasFile else {
                return didNotStart(helper, .stranger)
            }
            startTrouble.isOver()
            isFree(helper)
        case .busy(let request):
            guard reply.id == helper.requests else { return lied(helper, .unexpected) }
            do throws(IsolatedError.Lie) {
                let result = try result(of: request, reply, file)
                note(result, cpu: min(reply.cpu, request.mostTime))
                isFree(helper)
                request.end(result)
            } catch {
                lied(helper, error)
            }
        case .abandoned:
            guard reply.id == helper.requests, reply.outcome != .ready else {
                return lied(helper, .unexpected)
            }
            isFree(helper)
        case .idle: lied(helper, .unexpected)
        case .ended: break
        }
    }

    private func result(
        of request: Request, _ reply: HelperReply, _ file: consuming Descriptor?
    ) throws(IsolatedError.Lie) -> Result<Picture, IsolatedError> {
        guard case .picture(let size) = reply.outcome else {
            if file != nil { throw .garbage }
            switch reply.outcome {
            case .failed(let reason):
                return .failure(.picture(PictureError(file: request.name, reason: reason)))
            case .ready, .picture: throw .unexpected
            }
        }
        guard let file else { throw .badPixels }
        guard isPossible(size, for: request) else { throw .wrongSize(size) }
        guard let pixels = SharedBytes.read(file, count: 4 * size.width * size.height) else {
            throw .badPixels
        }
        return .success(Picture(size: size, pixels: pixels))
    }

    private func isPossible(_ size: PixelSize, for request: Request) -> Bool {
        // No decoder here makes pictures with longer sides, and products stay small.
        let width = 1...min(max(1, request.box.width), 0xFFFF)
        let height = 1...min(max(1, request.box.height), 0xFFFF)
        return width.contains(size.width) && height.contains(size.height)
            && size.width * size.height <= request.limits.pixels
            && 4 * size.width * size.height <= configuration.memory
    }

    private func note(_ result: Result<Picture, IsolatedError>, cpu: Duration) {
        statistics.cpu += cpu
        if case .success = result {
            statistics.pictures += 1
        } else {
            statistics.refused += 1
        }
    }

    /// A helper has done its work.
    private func isFree(_ helper: Helper) {
        if helper.isGone || helper.requests >= configuration.picturesPerHelper {
            helper.end()
        } else {
            helper.rest()
            end(helper, afterIdle: configuration.idleTime)
        }
        serve()
    }

    /// A helper's answer came with a descriptor for which this process has no room.
    private func missed(_ helper: Helper) {
        switch helper.life {
        case .busy(let request):
            isFree(helper)
            request.end(.failure(.system(SystemError(call: "recvmsg", errno: EMFILE))))
        case .abandoned: isFree(helper)
        case .starting, .idle: lied(helper, .unexpected)
        case .ended: break
        }
    }

    func lied(_ helper: Helper, _ lie: IsolatedError.Lie) {
        statistics.lied += 1
        switch helper.life {
        case .starting: didNotStart(helper, .stranger)
        case .busy(let request):
            finish(request, of: helper, .failure(.helperLied(file: request.name, lie)))
        case .idle, .abandoned:
            helper.end()
            serve()
        case .ended: break
        }
    }

    /// Ends a helper, has another take its place if there is work for it, and ends the request.
    func finish(
        _ request: Request, of helper: Helper, _ result: Result<Picture, IsolatedError>
    ) {
        helper.end()
        serve()
        request.end(result)
    }
}
