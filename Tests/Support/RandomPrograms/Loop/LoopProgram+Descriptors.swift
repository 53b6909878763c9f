internal import IdleLoop
internal import TestSupport

// Descriptors, and what is sent to a loop.
extension LoopProgram {
    private static let most = 4

    func actOnDescriptor() {
        switch choices.number(below: 6) {
        case 0, 1: watch()
        case 2:
            guard !watches.isEmpty else { return }
            let one = choices.one(of: watches)
            one.watch.cancel()
            end(one.registration.it)
            expect(!one.watch.isActive, "what was cancelled is not active")
        case 3:
            guard !watches.isEmpty else { return }
            _ = watches.remove(at: choices.number(below: watches.count))
        case 4: pipe.put()
        default: pipe.drain()
        }
    }

    private func watch() {
        guard let loop = anyLoop() else { return }
        let registration = Registration(in: self, on: loop, most: 3)
        let reference = Reference()
        let isWriter = choices.flag()
        do {
            let watch = try loop.watch(
                isWriter ? pipe.writing : pipe.reading, for: isWriter ? .writable : .readable
            ) { [self] _ in
                if !registration.call() {
                    reference.it?.cancel()
                    end(registration)
                }
                callback()
            }
            reference.it = watch
            if watches.count == Self.most { _ = watches.removeFirst() }
            watches.append((watch, WeakRegistration(it: registration)))
        } catch {
            return  // no more descriptors, or the like
        }
    }

    private final class Reference { weak var it: Watch? }

    // MARK: - What is sent

    func actOnInbox() {
        switch choices.number(below: 6) {
        case 0, 1: post()
        case 2: makePort()
        case 3, 4:
            guard !ports.isEmpty else { return }
            _ = choices.one(of: ports).port.send(1)
        default:
            guard !ports.isEmpty else { return }
            let one = ports.remove(at: choices.number(below: ports.count))
            one.loop.it?.close(one.port)
            end(one.registration.it)
        }
    }

    private func post() {
        guard let loop = anyHome()?.loop else { return }
        // All of a program is on one thread, though the inbox doesn't know it.
        nonisolated(unsafe) let program = self
        nonisolated(unsafe) let object = live.make()
        let isTaken = loop.inbox.post { loop in
            unsafe _ = object
            unsafe program.expect(!loop.isClosed, "a loop that was closed calls nobody")
            unsafe program.callback()
        }
        expect(!isTaken || !loop.isClosed, "a loop that was closed takes no posts")
    }

    private func makePort() {
        guard let loop = anyLoop() else { return }
        let registration = Registration(in: self, on: loop)
        let port = loop.port(of: Int.self) { [self] _ in
            _ = registration.call()
            callback()
        }
        if ports.count == Self.most { _ = ports.removeFirst() }
        ports.append((WeakLoop(it: loop), port, WeakRegistration(it: registration)))
    }
}
