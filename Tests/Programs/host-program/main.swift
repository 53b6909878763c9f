// What the main actor gets of a loop on the main thread, on each kind of host: a scene and a host by
// their names. It prints what was seen.
import CLoopHelpers
import Dispatch
import Foundation
import IdleLoop
import Synchronization

/// What a scene has its tasks call, on the main actor.
var finish: () -> Void = {}
var ranInSlice: (Int) -> Void = { _ in }

/// Notes that something ran, on the main thread.
@MainActor func note(_ what: String) {
    precondition(Thread.isMainThread, "it's the main thread")
    print(what)
}

/// Runs `body` on a thread of its own, and waits for its end.
func onThread(_ body: @escaping @Sendable () -> Void) {
    let end = DispatchSemaphore(value: 0)
    let code = startThread {
        body()
        end.signal()
    }
    precondition(code == 0, "a thread can be started")
    end.wait()
}

/// What is asked for before the loop is there, from its own callbacks, and from other threads.
@MainActor func work(_ host: Host) throws {
    Task { @MainActor in note("a task from before") }
    DispatchQueue.main.async { MainActor.assumeIsolated { note("a block from before") } }
    let loop = try host.makeLoop()
    try loop.serveMainQueue()
    loop.schedule(after: .zero) {
        Task { await elsewhere(loop.inbox) }
    }
    finish = {
        note("closed")
        loop.close()
        host.stop()
    }
}

@concurrent func elsewhere(_ inbox: Inbox) async {
    await Task { @MainActor in note("a task from another thread") }.value
    await MainActor.run { note("a run of the main actor") }
    onThread {
        DispatchQueue.main.sync { MainActor.assumeIsolated { note("a block to wait for") } }
    }
    await withCheckedContinuation { done in
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(1)) {
            MainActor.assumeIsolated { note("a block for later") }
            done.resume()
        }
    }
    await withCheckedContinuation { done in
        OperationQueue.main.addOperation {
            MainActor.assumeIsolated { note("an operation of Foundation's") }
            done.resume()
        }
    }
    await sleepOnMain()
    await MainActor.run { finish() }
}

@MainActor func sleepOnMain() async {
    try? await Task.sleep(for: .milliseconds(1))
    note("a task after its sleep")
}

/// Endless slices, in some of which this and another thread ask for the main actor: it must run
/// before the next slice does.
@MainActor func busy(_ host: Host) throws {
    let loop = try host.makeLoop()
    var configuration = QueueConfiguration()
    configuration.batch = .zero
    let queue = IdleQueue<Int>(on: loop, configuration: configuration)
    let asked = 20
    var (slices, ran, late) = (0, 0, 0)
    func ran(of slice: Int) {
        ran += 1
        if slices != slice { late += 1 }
        guard ran == asked * 3 else { return }
        note("\(ran) ran, \(late) after another slice")
        queue.close()
        loop.close()
        host.stop()
    }
    ranInSlice = ran(of:)
    queue.submit(0) { _ in
        slices += 1
        guard slices % 3 == 0, slices / 3 <= asked else { return .again }
        let slice = slices
        onThread {
            Task { @MainActor in ranInSlice(slice) }
            DispatchQueue.main.async { MainActor.assumeIsolated { ranInSlice(slice) } }
        }
        Task { @MainActor in ranInSlice(slice) }
        return .again
    }
}

/// A rest between two timers, after the main actor has run.
@MainActor func rest(_ host: Host) throws {
    let loop = try host.makeLoop()
    Task { @MainActor in
        try await Task.sleep(for: .milliseconds(5))
        loop.schedule(after: .milliseconds(20)) {
            let before = (loop.statistics.polls, host.passes, lull_sleeps_of_thread())
            loop.schedule(after: .milliseconds(100)) {
                let after = (loop.statistics.polls, host.passes, lull_sleeps_of_thread())
                note("\(after.0 - before.0) polls")
                note("\(after.1 - before.1) passes")
                note("\(after.2 - before.2) sleeps")
                loop.close()
                host.stop()
            }
        }
    }
}

/// A loop that is closed in a task of the main actor serves it no more; the next loop does.
@MainActor func close(_ host: Host) throws {
    var loop: MainLoop? = try host.makeLoop()
    var hasNext = false
    Task { @MainActor in
        Task { @MainActor in note(hasNext ? "a task after the next loop is there" : "too early") }
        loop?.close()
        loop = nil
        host.after(passes: 10) {
            hasNext = true
            note("the next loop")
            do { loop = try host.makeLoop() } catch { note("\(error)") }
            Task { @MainActor in
                loop?.close()
                host.stop()
            }
        }
    }
}

/// A task of the main actor that runs the host's loop: others wait for its end, and nothing spins.
@MainActor func nested(_ host: Host) throws {
    let loop = try host.makeLoop()
    Task { @MainActor in
        Task { @MainActor in note("another task") }
        var isDue = false
        loop.schedule(after: .milliseconds(50)) { isDue = true }
        var passes = 0
        while !isDue {
            try host.pass(blocks: true)
            passes += 1
        }
        note("a timer inside, after \(passes) passes")
        Task { @MainActor in
            note("the end")
            loop.close()
            host.stop()
        }
    }
}

/// Whether a loop says that it can't serve the main actor.
@MainActor func tryToServe(_ host: Host) throws {
    let loop = try host.makeLoop()
    do {
        try loop.serveMainQueue()
        note("it serves the main actor")
    } catch {
        note("\(error)")
    }
    // Dispatch's queue is served all the same.
    DispatchQueue.main.async {
        MainActor.assumeIsolated {
            loop.close()
            host.stop()
        }
    }
}

@MainActor func otherExecutor(_ host: Host) throws {
    OtherExecutors.install()
    try tryToServe(host)
}

@MainActor func otherHook(_ host: Host) throws {
    lull_hook_main_executor()
    try tryToServe(host)
}

alarm(600)  // who waits for what doesn't come is ended
guard CommandLine.arguments.count == 3,
    let kind = HostKind(rawValue: CommandLine.arguments[2])
else { exit(64) }
switch CommandLine.arguments[1] {
case "work": try Host.run(kind, work)
case "busy": try Host.run(kind, busy)
case "rest": try Host.run(kind, rest)
case "nested": try Host.run(kind, nested)
case "measure": try Host.run(kind) { try Measurement(of: kind, on: $0).begin() }
case "dispatch": try Host.run(kind, tryToServe)
case "other-executor": try Host.run(kind, otherExecutor)
case "other-hook": try Host.run(kind, otherHook)
case "close": try Host.run(kind, close)
default: exit(64)
}
