// Functions that use the program's variables, as a newcomer would add them next.
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
