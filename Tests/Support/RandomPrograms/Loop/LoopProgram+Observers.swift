internal import IdleLoop
internal import TestSupport

// Observers, timers and frames.
extension LoopProgram {
    private static let most = 6

    func actOnObserver() {
        switch choices.number(below: 6) {
        case 0, 1: observe()
        case 2: work()
        case 3, 4:
            guard !observers.isEmpty else { return }
            let one = choices.one(of: observers)
            one.observer.cancel()
            end(one.registration.it)
            expect(!one.observer.isActive, "what was cancelled is not active")
        default:
            guard !observers.isEmpty else { return }
            _ = observers.remove(at: choices.number(below: observers.count))
        }
    }

    private func observe() {
        guard let loop = anyLoop() else { return }
        let registration = Registration(in: self, on: loop)
        let activity: Activity = choices.one(of: [.entry, .beforeIdle, .afterIdle, .exit])
        let repeats = choices.flag()
        let observer = loop.observe(
            activity, order: choices.number(below: 3), modes: modes(), repeats: repeats
        ) { [self] _ in
            _ = registration.call()
            if !repeats { end(registration) }
            callback()
        }
        add(observer, registration)
    }

    private func work() {
        guard let loop = anyLoop() else { return }
        let registration = Registration(in: self, on: loop)
        let observer = loop.beforeIdle(order: choices.number(below: 3), modes: modes()) {
            [self] slot in
            _ = registration.call()
            _ = slot.isOver
            callback()
            return choices.flag() ? .worked : .nothing
        }
        add(observer, registration)
    }

    private func add(_ token: some CallbackToken, _ registration: Registration) {
        if observers.count == Self.most { _ = observers.removeFirst() }
        observers.append((token, WeakRegistration(it: registration)))
    }

    private func modes() -> LoopMode { choices.one(of: [.all, .default, .tracking]) }

    // MARK: - Timers and frames

    func actOnTimer() {
        switch choices.number(below: 8) {
        case 0, 1, 2: schedule()
        case 3, 4:
            guard !timers.isEmpty else { return }
            let one = choices.one(of: timers)
            let isOn = one.loop.it?.isClosed == false && one.registration.it?.isOver == false
            expect(one.timer.cancel() == isOn, "a timer that is there, and no other, goes")
            end(one.registration.it)
        case 5: makeFrames()
        default: actOnFrames()
        }
    }

    private func schedule() {
        guard let loop = anyLoop() else { return }
        let registration = Registration(in: self, on: loop, most: 8)
        let period = choices.maybe(choices.period())
        let timer = Timer()
        let id = loop.schedule(
            at: choices.instant(from: loop.clock.now), every: period,
            tolerance: choices.maybe(choices.longDuration())
        ) { [self] in
            if !registration.call() || period == nil {
                end(registration)
                if let id = timer.id, id.cancel() != (period != nil) {
                    expect(false, "a timer that repeats is there, and no other")
                }
            }
            callback()
        }
        timer.id = id
        // None is forgotten: until it is over, a whole job may be held back for it.
        timers.append((WeakLoop(it: loop), id, WeakRegistration(it: registration)))
    }

    /// A timer's name, which is known when it was armed.
    private final class Timer { var id: LoopTimer? }

    private func makeFrames() {
        guard let loop = anyLoop() else { return }
        let registration = Registration(in: self, on: loop, most: 8)
        let reference = Source()
        let tolerance = choices.maybe(choices.longDuration())
        let period = choices.framePeriod()
        let source = loop.frames(
            every: period, from: choices.maybe(choices.instant(from: loop.clock.now)),
            tolerance: tolerance
        ) { [self] _ in frame(registration, reference) }
        reference.it = source
        if frames.count == Self.most { _ = frames.removeFirst() }
        frames.append((source, WeakRegistration(it: registration)))
    }

    private final class Source { weak var it: FrameSource? }

    private func frame(_ registration: Registration, _ reference: Source) {
        if !registration.call() {
            reference.it?.cancel()
            end(registration)
        }
        callback()
    }

    private func actOnFrames() {
        guard !frames.isEmpty else { return }
        let place = choices.number(below: frames.count)
        let one = frames[place]
        switch choices.number(below: 5) {
        case 0: one.source.pause()
        case 1: one.source.resume()
        case 2:
            one.source.cancel()
            end(one.registration.it)
        case 3:
            guard let loop = anyLoop() else { return }
            loop.expectFrame(at: choices.instant(from: loop.clock.now))
        default: _ = frames.remove(at: place)
        }
    }
}

/// A token of a callback on what a loop does, or of work before idle.
protocol CallbackToken: AnyObject {
    var isActive: Bool { get }
    func cancel()
}

extension Observer: CallbackToken {}
extension IdleWorker: CallbackToken {}
