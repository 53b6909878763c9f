/// Lanes on virtual time: slices are run inline, and end when their cost has passed.
///
/// As threads do, they take the most urgent run from the tray, and return it when it's done, or after
/// a slice when a more urgent one waits. Slices begin and end as events outside of the loop.
final class SimulatedLanes {
    let tray = LaneTray()
    let returned = ReturnedRuns()
    private let loop: LoopContext
    private let time: VirtualTime
    private var count = 0
    /// The runs that lanes have, by numbers of their own: time's events keep none.
    private var running: [Int: LaneRun] = [:]
    private var number = 0
    private var isScheduled = false

    init(on loop: LoopContext, _ time: VirtualTime) {
        self.loop = loop
        self.time = time
    }

    /// Lets free lanes, of a number of them, take runs from the tray after the current callback.
    func signal(lanes count: Int) {
        self.count = count
        guard !isScheduled else { return }
        isScheduled = true
        time.at(time.now) { [weak self] in self?.takeRuns() }
    }

    /// Takes a run from its lane, which is free then.
    func take(_ run: LaneRun) {
        guard let number = running.first(where: { $0.value === run })?.key else { return }
        running[number] = nil
        signal(lanes: count)
    }

    /// Takes all runs from the lanes, in the middle of their slices.
    func takeAll() -> [LaneRun] {
        defer { running = [:] }
        return Array(running.values)
    }

    private func takeRuns() {
        isScheduled = false
        while running.count < count, let run = tray.take() {
            number += 1
            running[number] = run
            runSlice(of: run, number)
        }
        guard tray.ranOut else { return }
        tray.ask()
        loop.wake()
    }

    private func runSlice(of run: LaneRun, _ number: Int) {
        var goesOn = false
        let start = time.now
        let cost = time.measure {
            goesOn = run.runSlice(at: start, on: loop)
        }
        time.at(start.advanced(by: cost)) { [weak self] in
            self?.endSlice(of: number, goesOn)
        }
    }

    private func endSlice(of number: Int, _ goesOn: Bool) {
        guard let run = running[number] else { return }
        if goesOn, tray.mostUrgent >= run.order { return runSlice(of: run, number) }
        running[number] = nil
        if returned.push(run) { loop.wake() }
        signal(lanes: count)
    }
}
