extension WebServer {
    /// The accuracy with which deadlines are kept.
    private var grain: Duration { min(.milliseconds(250), limits.shortestTime / 4) }

    /// Schedules a check of deadlines at a time, or a little later.
    func expect(_ time: Duration) {
        let time = max(time, lastSweep + grain)
        guard sweepTime.map({ time < $0 }) ?? true else { return }
        sweepTime = time
        sweeper?.come(after: time - clock.now)
    }

    /// Cancels the check of deadlines, as there are no connections.
    func rest() {
        sweepTime = nil
        sweeper?.cancel()
    }

    /// Checks all deadlines.
    ///
    /// Cost: O(connections), four times a second at most.
    func sweep() {
        let due = sweepTime ?? clock.now
        sweepTime = nil
        let now = clock.now
        lastSweep = now
        // The process was suspended, or the loop blocked, so that clients didn't have their time:
        // all deadlines restart.
        if now - due > .seconds(1) {
            for connection in connections.values { connection.restart() }
        }
        for connection in Array(connections.values) where !connection.isClosing {
            if let (time, kind) = connection.deadline, time <= now {
                timeOut(connection, kind)
            } else if case .streaming(let stream) = connection.phase {
                stream.commentIfSilent(at: now)
            }
        }
        closePending()
        let next = connections.values.compactMap(nextTime).min()
        if let next { expect(next) }
    }

    private func nextTime(of connection: WebConnection) -> Duration? {
        var times = [connection.deadline?.time]
        if case .streaming(let stream) = connection.phase { times.append(stream.commentTime) }
        return times.compactMap(\.self).min()
    }

    private func timeOut(_ connection: WebConnection, _ kind: WebDeadline) {
        // A timeout between two requests is normal.
        if !connection.isIdle {
            statistics.timedOut[kind, default: 0] += 1
            trouble(.timedOut(kind))
        }
        if case .answering(let exchange) = connection.phase {
            exchange.isLast = true
            exchange.reply(503, [("Retry-After", "5")], [])
        } else {
            scheduleClose(connection)
        }
    }

    /// Reports a problem, unless one of its kind was reported less than a second ago.
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
