internal import IdleLoop
internal import TestSupport

// Calls of loops.
extension LoopProgram {
    private static let mostHomes = 3

    /// One of the loops that there are, or nil.
    func anyHome() -> Home? { homes.isEmpty ? nil : choices.one(of: homes) }

    /// The same, without its driver.
    func anyLoop() -> MainLoop? {
        anyHome()?.loop
    }

    func makeLoop() {
        let driver: Home.Driver =
            switch choices.number(below: 6) {
            case 0, 1, 2: .virtual(VirtualTime())
            case 3: .monotonic
            default: .host(host())
            }
        let capacity = choices.one(of: [65_536, 1, 2, 3])
        if homes.count == Self.mostHomes { _ = homes.removeFirst() }
        let home = Home(driver, inboxCapacity: capacity, laws)
        homes.append(home)
        loops.append(WeakLoop(it: home.loop))
    }

    /// A host to be a guest of.
    private func host() -> any ProgramHost {
        let host = choices.one(of: makeHosts)()
        if !hosts.contains(where: { $0 === host }) { hosts.append(host) }
        return host
    }

    func actOnLoop() {
        guard let home = anyHome() else { return makeLoop() }
        let loop = home.loop
        switch choices.number(below: 11) {
        case 0: loop.mode = choices.flag() ? .tracking : .default
        case 1: makeLoop()
        case 2:
            loop.close()
            expect(loop.isClosed, "a loop is closed at once")
        case 3:
            release(home)
        case 4: _ = loop.statistics
        case 5: loop.poke()
        case 6: loop.stop()
        case 7:
            guard case .virtual(let time) = home.driver else { return }
            time.charge(choices.duration())
        case 8:
            guard case .virtual(let time) = home.driver else { return }
            let fills = choices.flag()
            time.at(choices.instant(from: time.now)) { [pipe] in
                if fills { pipe.put() } else { pipe.drain() }
            }
        case 9: shutDown(loop)
        default: beginTask(on: loop)
        }
    }

    private func release(_ home: Home) {
        if let place = homes.firstIndex(where: { $0 === home }) { _ = homes.remove(at: place) }
    }

    func drive() {
        guard let home = anyHome() else { return }
        let time = choices.maybe(choices.duration())
        home.drive(for: time)
    }

    private func shutDown(_ loop: MainLoop) {
        let promise = promise()
        let object = live.make()
        loop.shutDown(within: choices.duration()) { [self] _ in
            _ = object
            promise.keep()
            callback()
        }
    }

    /// Begins a task that waits for lulls and moments.
    private func beginTask(on loop: MainLoop) {
        keepExecutor(of: loop)
        let object = live.make()
        let program = self
        let waiting = Waiting(on: loop)
        loop.task {
            _ = object
            while !program.choices.areOver {
                program.callback()
                await waiting.wait(as: program.choices.number(below: 3))
            }
        }
    }

    /// Sees to it that tasks that live on a loop go on at the program's end.
    private func keepExecutor(of loop: MainLoop) {
        let executor = loop.executor
        if !executors.contains(where: { $0 === executor }) { executors.append(executor) }
    }
}
