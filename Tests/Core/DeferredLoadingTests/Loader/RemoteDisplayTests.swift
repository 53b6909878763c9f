import DeferredLoading
import IdleLoop
import Testing

/// The facts for rules about rows that another process shows.
struct RemoteDisplayTests {
    @Test func `what is loaded waits to be sent, costs nothing, and is settled when it's there`()
        throws
    {
        let bench = try LoaderBench()
        bench.source.hint = .milliseconds(3)
        var sent: Set<Int> = []
        let facts = bench.loader.facts(on: RemoteDisplay { sent.contains($0) }) {
            $0 < 10 ? $0 : nil
        }
        func states() -> [LoadProgress] {
            var states: [LoadProgress] = []
            let rows = [0, 1, 2, 10]
            facts.forEachLoad(ofRows: rows) { progress, hint in
                let row = rows[states.count]
                states.append(progress)
                #expect(facts.progress(ofRow: row) == progress)
                #expect(progress == .settled ? hint == nil : hint == facts.costHint(ofRow: row))
            }
            return states
        }
        #expect(states() == [.none, .none, .none, .settled])
        bench.want([0, 1])
        try bench.run()
        #expect(states() == [.fetched, .fetched, .none, .settled])
        #expect(facts.costHint(ofRow: 0) == .zero && facts.fetchHint(ofRow: 0) == .zero)
        #expect(facts.costHint(ofRow: 2) == .milliseconds(3))
        sent = [0, 2]
        #expect(states() == [.settled, .fetched, .settled, .settled])
        #expect(facts.costHint(ofRow: 0) == nil)
        sent = []
        bench.loader.invalidate(1)
        #expect(states() == [.fetched, .none, .none, .settled])
    }

    @Test func `its way is asked for anew each time, and its rows need no room in the loader`()
        throws
    {
        let bench = try LoaderBench { $0.capacity = 4 }
        var (delivery, transfer) = (Duration.milliseconds(40), Duration.milliseconds(2))
        let display = RemoteDisplay<Int>(
            has: { _ in false }, delivery: { delivery }, transfer: { transfer })
        let (here, elsewhere) = (bench.loader.facts { $0 }, bench.loader.facts(on: display) { $0 })
        #expect(here.capacity != nil && elsewhere.capacity == nil)
        #expect(here.delivery == .zero && here.transfer == .zero)
        #expect((elsewhere.delivery, elsewhere.transfer) == (delivery, transfer))
        (delivery, transfer) = (.milliseconds(90), .zero)
        #expect((elsewhere.delivery, elsewhere.transfer) == (.milliseconds(90), .zero))
    }
}
