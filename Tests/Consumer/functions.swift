// What a newcomer would write next: functions that use what the program has.
func more(_ limit: Int) {
    queue.submit("more", priority: .low) { _ in
        if number < limit { more(limit) }
        return .done
    }
}
func ends(after time: Duration) {
    loop.schedule(after: time) {
        print("\(primes) primes, \(queue.statistics.waiting) jobs wait")
        loop.stop()
    }
}
