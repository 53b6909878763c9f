extension WebServer {
    /// The accuracy with which deadlines are kept.
    private var grain: Duration { min(.milliseconds(250), limits.shortestTime / 4) }

    /// Schedules a look at deadlines by a time, or a little later.
    func expect(_ time: Duration) {
        let time = max(time, lastSweep + grain)
        guard sweepTime.map({ time < $0 }) ?? true else { return }
        sweepTime = time
        sweeper?.come(after: time - clock.now)
    }

    /// Cancels the look at deadlines, as there's nobody.
    func rest() {
        sweepTime = nil
        sweeper?.cancel()
    }

    /// Looks at all deadlines.
    ///
    /// Cost: one look at each connection, four times a second at most.
    func sweep() {
        let due = sweepTime ?? clock.now
        sweepTime = nil
        let now = clock.now
        lastSweep = now
        // The process was stopped, or the loop kept busy, and the clients weren't given their time:
        // all of them get it anew.
        if now - due > .seconds(1) {
            for connection in connections.values { connection.restart() }
        }
        for connection in Array(connections.values) where !connection.isDoomed {
            if let (time, kind) = connection.deadline, time <= now {
                timeOut(connection, kind)
            } else if case .streaming(let stream) = connection.phase {
                stream.commentIfSilent(at: now)
            }
        }
        bury()
        let next = connections.values.compactMap(nextTime).min()
        if let next { expect(next) }
    }

    private func nextTime(of connection: WebConnection) -> Duration? {
        var times = [connection.deadline?.time]
        if case .streaming(let stream) = connection.phase { times.append(stream.commentTime) }
        return times.compactMap(\.self).min()
    }

    private func timeOut(_ connection: WebConnection, _ kind: WebDeadline) {
        // Between two requests it's no trouble.
        if !connection.isIdle {
            statistics.timedOut[kind, default: 0] += 1
            trouble(.timedOut(kind))
        }
        if case .answering(let exchange) = connection.phase {
            exchange.isLast = true
            exchange.reply(503, [("Retry-After", "5")], [])
        } else {
            doom(connection)
        }
    }

    /// Tells of trouble, unless it has told of its kind less than a second ago.
    func trouble(_ kind: WebTrouble.Kind, host: String? = nil) {
        let now = clock.now
        var (told, count) = troubles[kind] ?? (told: now - .seconds(1), count: 0)
        count += 1
        guard now - told >= .seconds(1) else {
            troubles[kind] = (told, count)
            return
        }
        troubles[kind] = (now, 0)
        onTrouble?(WebTrouble(kind: kind, count: count, host: host))
    }
}
