import CLullLibevent
import Foundation
import DeferredLoading
import IdleLoop
import LoopLifecycle
import LoopLogging
import Logging
import LoopSystemd
import SourceChecks

extension Law {
    static let idleLoop: [Law] = [
        Law(
            "IdleLoop/Buffer.swift", "a value that is there",
            never: "heaps and tables ask it for places below its count"),
        Law(
            "IdleLoop/Buffer.swift", "out of memory: \\(size) bytes",
            never: "no argument: it ends as an array does"),
        Law(
            "IdleLoop/LoopContext.swift",
            "a loop, and all that is on it, is used on the thread that has made it"
        ) { try await foreignLoop().schedule(at: .zero) {} },
        Law(
            "IdleLoop/LoopExecutor.swift", "this runs on the loop's thread only"
        ) { LoopExecutor().checkIsolated() },
        Law(
            "IdleLoop/MainLoop+Tasks.swift",
            "a task is begun on a loop from its own thread"
        ) { try await foreignLoop().task {} },
        Law(
            "IdleLoop/MainLoop+Tasks.swift",
            "a task that waits for a loop's lull runs on that loop"
        ) { _ = try await foreignLoop().idle() },
        Law(
            "IdleLoop/TaskSlot.swift", "a slot is used on its loop's thread"
        ) {
            let home = try loop
            await useElsewhere(try slot(of: home))
            withExtendedLifetime(home) {}
        },
        Law("IdleLoop/FrameSource.swift", "a frame takes a microsecond at least") {
            _ = try loop.frames(every: .nanoseconds(999)) { _ in }
        },
        Law(
            "IdleLoop/HashIndex.swift", "a slot that is there",
            never: "tables take out what they have put in"),
        Law(
            "IdleLoop/IdleSlot.swift", "private unowned(unsafe) let loop: LoopContext",
            never: "a slot can't be copied, so it never outlives the call that lends it"),
        Law(
            "IdleLoop/MainLoop.swift",
            "let end = context.schedule(at: instant) { [unowned self] in stop() }",
            never: "the timer is taken off before the call returns that it ends"),
        Law(
            "IdleLoop/MainLoop.swift",
            "inboxWatch = Watch(loop: self, .inbox, isInternal: true) { [unowned self] _ in",
            never: "a loop takes it off its base before it goes"),
        Law(
            "IdleLoop/MainLoop.swift",
            "timerWatch = Watch(loop: self, .timers, isInternal: true) { [unowned self] _ in",
            never: "a loop takes it off its base before it goes"),
        Law("IdleLoop/Inbox.swift", "an inbox holds at least one message") {
            _ = try MainLoop(inboxCapacity: 0)
        },
        Law(
            "IdleLoop/JobQueue.swift", "work gives its own type",
            never: "the type of what work gives is that of what its body takes"),
        Law("IdleLoop/JobQueue.swift", "a slice is longer than zero") {
            _ = try queue { $0.slice = .zero }
        },
        Law("IdleLoop/JobLimits.swift", "an idle queue holds at least one job") {
            _ = try queue { $0.limit = 0 }
        },
        Law("IdleLoop/JobLimits.swift", "an idle queue holds some work at least") {
            _ = try queue { $0.costLimit = .zero }
        },
        Law("IdleLoop/Deferral.swift", "jobs are put off for longer than zero") {
            _ = try queue { $0.maxDeferral = .zero }
        },
        Law(
            "IdleLoop/JobTable.swift", "a job that is ready has a body",
            never: "it's ready as it's submitted with one, or as its work's result brings one"),
        Law(
            "IdleLoop/MainLoop+Sources.swift",
            "a watch waits for reading, for writing or for the other's end"
        ) { try loop.watch(0, for: []) { _ in } },
        Law("IdleLoop/MainLoop+Timers.swift", "a timer's period is longer than zero") {
            try loop.schedule(at: .zero, every: .zero) {}
        },
        Law("IdleLoop/MainLoop.swift", "a loop is in one mode at a time") {
            try loop.mode = .all
        },
        Law("IdleLoop/MemoryPressure.swift", "a period is longer than zero") {
            var configuration = MemoryPressureConfiguration()
            configuration.period = .zero
            _ = MemoryPressure(on: try loop, configuration: configuration) {}
        },
        Law("IdleLoop/Observers.swift", "a weight is one or more") {
            _ = try queue { $0.weight = 0 }
        },
        Law(
            "IdleLoop/Observers.swift", "an observer has a mode in which it's called"
        ) { try loop.observe(.beforeIdle, modes: []) { _ in } },
        Law("IdleLoop/OperationPool.swift", "an operation pool has at least one place") {
            _ = OperationPool(width: 0, on: try loop)
        },
        Law("IdleLoop/WorkTicker.swift", "a ticker's period is longer than zero") {
            _ = WorkTicker(of: try loop, every: .zero) {}
        },
        Law(
            "IdleLoop/SlotTable.swift", "an empty slot",
            never: "owners ask for slots that they have filled, or by an ID that is looked up"),
        Law(
            "IdleLoop/Priority.swift", "a sequence number has 56 bits",
            never: "a million jobs a second would take two thousand years"),
        Law("IdleLoop/VirtualTime.swift", "virtual time never goes back") {
            VirtualTime().charge(.nanoseconds(-1))
        },
        Law(
            "IdleLoop/LoopGuest.swift", "private unowned(unsafe) var loop: MainLoop?",
            never: "it's nil once the loop is closed, which it is before it goes"),
        Law(
            "IdleLoop/Watch.swift", "private unowned(unsafe) var loop: MainLoop?",
            never: "it's nil once the loop is closed, which it is before it goes"),
        Law("IdleLoop/WorkerPool.swift", "a worker pool has at least one worker") {
            _ = try WorkerPool(width: 0, on: try loop)
        },
        Law(
            "LullC/CList.swift", "unowned let loop: CLoop",
            never: "a loop keeps itself until it's closed, and lets go of its objects before"),
        Law(
            "LullC/CLoop.swift", "unowned let loop: CLoop",
            never: "a loop keeps itself until it's closed, and lets go of its objects before"),
        Law(
            "LullC/CQueue.swift", "unowned let loop: CLoop",
            never: "a loop keeps itself until it's closed, and lets go of its objects before"),
        Law(
            "LullC/Timers.swift", ") { [unowned object] in",
            never: "a timer that goes is cancelled"),
        Law("LoopLifecycle/LoopService.swift", "a service's loop is not a host's") {
            let service = LoopService(
                makeLoop: { unsafe try MainLoop(adopting: event_base_new()) }) { _ in }
            try await service.run()
        },
        Law("LoopLogging/LoopLogging.swift", "a log has at most a line a second") {
            var configuration = LoggingConfiguration()
            configuration.period = .milliseconds(999)
            _ = LoopLogging(of: try loop, to: Logger(label: ""), configuration: configuration)
        },
        Law("LoopSystemd/Watchdog.swift", "a watchdog waits at least a microsecond") {
            _ = Watchdog(
                on: try loop, notifier: try ServiceNotifier(socket: nil), period: .zero)
        },
    ]

    private static var loop: MainLoop {
        get throws { try MainLoop(clock: .virtual(VirtualTime())) }
    }

    private static func queue(
        _ change: (inout QueueConfiguration) -> Void = { _ in }
    ) throws -> IdleQueue<Int> {
        var configuration = QueueConfiguration()
        change(&configuration)
        return IdleQueue(on: try loop, configuration: configuration)
    }

    /// A loop whose thread is another one.
    private static func foreignLoop() async throws -> MainLoop {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try MainLoop(clock: .virtual(VirtualTime())) })
                while true { pause() }
            }
        }
    }

    private static func slot(of loop: MainLoop) throws -> TaskSlot {
        var slot: TaskSlot?
        loop.task {
            slot = await loop.idle()
            loop.stop()
        }
        try loop.run()
        return try slot ?? { throw CancellationError() }()
    }

    /// Uses a slot on a thread that isn't its loop's, which is the end.
    private static func useElsewhere(_ slot: TaskSlot) async {
        nonisolated(unsafe) let slot = slot  // that's the mistake
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                _ = unsafe slot.isOver
                continuation.resume()
            }
        }
    }
}
