#if NIO
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import IdleLoop
@testable import LoopNIO

/// The end of a loop on a loop of NIO's, at any moment.
struct NIOEndTests {
    enum Place: CaseIterable {
        case timer, watch, post, job, beforeIdle, afterIdle, task, native
    }

    /// A loop with something of every kind on it, none of which may be called after its end.
    private final class Guest {
        var loop: MainLoop?
        var queue: IdleQueue<Int>?
        /// A queue whose jobs wait for another mode.
        var resting: IdleQueue<Int>?
        let (pipe, silent) = (NonblockingPipe(), NonblockingPipe())
        let stage: NIOStage

        init(on stage: NIOStage) throws {
            self.stage = stage
            let loop = try MainLoop(on: stage.eventLoop)
            self.loop = loop
            queue = IdleQueue(on: loop)
            var configuration = QueueConfiguration()
            configuration.modes = .tracking
            resting = IdleQueue(on: loop, configuration: configuration)
        }

        /// Has `end` called in a callback of one kind.
        func arrange(_ place: Place, _ end: @escaping () -> Void) throws {
            guard let loop, let queue else { return }
            switch place {
            case .timer: loop.schedule(after: .microseconds(100), end)
            case .watch:
                try loop.watch(pipe.reading, for: .readable) { _ in end() }
                pipe.put()
            case .post:
                let end = NIOLoopBound(end, eventLoop: stage.eventLoop)
                DispatchQueue.global().async { [inbox = loop.inbox] in
                    inbox.post { _ in end.value() }
                }
            case .job:
                queue.submit(-1) { _ in
                    end()
                    return .done
                }
            case .beforeIdle: loop.observe(.beforeIdle) { _ in end() }
            case .afterIdle:
                loop.observe(.afterIdle) { _ in end() }
                // More than once, as the loop may not be asleep yet.
                loop.schedule(at: loop.clock.now, every: .milliseconds(1)) {}
            case .task: loop.task { end() }
            case .native: stage.eventLoop.assumeIsolated().execute(end)
            }
        }

        /// Adds what must be gone afterwards.
        func add(_ object: LiveObjects.Object) throws {
            guard let loop, let resting else { return }
            loop.schedule(after: .seconds(1000)) { _ = object }
            try loop.watch(silent.reading, for: .readable) { _ in _ = object }
            loop.observe(.exit) { _ in _ = object }
            resting.submit(7) { _ in
                _ = object
                return .done
            }
        }

        /// Closes or releases the loop.
        func end(byClosing: Bool) {
            if byClosing {
                queue?.close()
                resting?.close()
                loop?.close()
            }
            queue = nil
            resting = nil
            loop = nil
        }
    }

    @Test func `a forked child can't go on with it`() async throws {
        let log = try await onNIO { stage in
            do throws(LoopError) {
                // Not by the loop's own call, which closes descriptors that only a child has.
                guard let guest = stage.loop.context.guest else { return stage.finish() }
                try guest.host.renewAfterFork(guest)
            } catch {
                stage.log.append("\(error)")
            }
            stage.finish()
        }
        #expect(log == ["fork: Operation not supported (95)"])
    }

    @Test(arguments: Place.allCases, [true, false])
    func `a loop that ends inside a callback leaves nothing`(
        place: Place, byClosing: Bool
    ) async throws {
        let log = try await onNIO { stage in
            let guest = try Guest(on: stage)
            try guest.add(stage.live.make())
            weak let loop = guest.loop
            weak let thread = (guest.loop?.context.guest?.host as? NIOHost)?.thread
            weak let host = guest.loop?.context.guest?.host
            let inbox = guest.loop?.inbox
            if thread == nil { stage.log.append("no thread") }
            var hasEnded = false
            try guest.arrange(place) {
                if hasEnded { return stage.log.append("called after the end") }
                hasEnded = true
                guest.end(byClosing: byClosing)
                stage.afterPolls(10) {
                    guest.pipe.put()
                    look()
                }
            }
            /// Waits until the thread has ended, too.
            func look() {
                guard thread == nil else { return stage.afterPolls(1, look) }
                if host != nil { stage.log.append("a host is left") }
                if loop != nil { stage.log.append("a loop is left") }
                if inbox?.post({ _ in }) != false { stage.log.append("a post was accepted") }
                if stage.live.count != 0 { stage.log.append("\(stage.live.count) left") }
                stage.finish()
            }
        }
        #expect(log == [])
    }
}
#endif
