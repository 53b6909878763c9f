extension WebServer {
    private static let acceptedPerTurn = 64

    /// Makes what evhttp is about to put a new connection into.
    func accepted(on base: OpaquePointer?) -> OpaquePointer? {
        guard let buffer = unsafe BufferHandle(on: base) else { return nil }
        statistics.accepted += 1
        let connection = WebConnection(buffer, of: self)
        connections[buffer.id] = connection
        statistics.connections = connections.count
        newcomers.append(connection)
        // Evhttp takes connections for as long as there are any.
        if newcomers.count == Self.acceptedPerTurn { accept(false) }
        settleSoon()
        return unsafe buffer.pointer
    }

    /// Looks at a new connection for the first time.
    func welcome(_ connection: WebConnection) {
        guard case .new = connection.phase else { return }
        guard let handle = connection.buffer.connection() else {
            // Evhttp has freed it again, for want of memory.
            ended(connection)
            return
        }
        handle.tellEnd(to: connection)
        let descriptor = connection.buffer.descriptor
        connection.enter(.waiting)
        guard let local = SocketName.local(of: descriptor),
            let client = SocketName.peer(of: descriptor)
        else {
            doom(connection)
            return
        }
        let endpoints = Endpoints(local: local, client: client)
        connection.endpoints = endpoints
        clients[endpoints.clientKey, default: [:]][connection.buffer.id] = connection
        welcomed += 1
        if isDraining { doom(connection) }
    }

    /// Makes room for those that came in this turn, where there are more than there may be.
    ///
    /// Whoever comes is let in. Of an address that has more than its share the idlest goes, and of
    /// all together the idlest of the address that has most: silence costs nothing, so that whoever
    /// came first would shut the server by it.
    ///
    /// For each that comes O(addresses), and O(m) for the m connections of the address that has most.
    func boundConnections() {
        guard let first = newcomers.first?.number else { return }
        for newcomer in newcomers where !newcomer.isDoomed {
            guard let key = newcomer.endpoints?.clientKey,
                clients[key]?.count ?? 0 > limits.connectionsPerAddress
            else { continue }
            turnAwayIdlest(of: key, newFrom: first, .connectionsPerAddress)
        }
        while welcomed > limits.connections,
            let most = clients.max(by: { $0.value.count < $1.value.count })
        {
            turnAwayIdlest(of: most.key, newFrom: first, .connections)
        }
    }

    private func turnAwayIdlest(of key: UInt64?, newFrom first: Int, _ reason: WebRefusal) {
        let ranked = (clients[key] ?? [:]).values
            .map { (rank: $0.idleness(newFrom: first), connection: $0) }
        statistics.crowdLooks += ranked.count
        guard let idlest = ranked.max(by: { $0.rank < $1.rank }) else { return }
        turnAway(idlest.connection, reason)
    }

    /// Counts a connection no more that is to be closed, or is.
    private func uncount(_ connection: WebConnection) {
        guard let key = connection.endpoints.map(\.clientKey),
            clients[key]?.removeValue(forKey: connection.buffer.id) != nil
        else { return }
        welcomed -= 1
        if clients[key]?.isEmpty == true { clients.removeValue(forKey: key) }
    }

    private func turnAway(_ connection: WebConnection, _ reason: WebRefusal) {
        statistics.refused[reason, default: 0] += 1
        trouble(.refused(reason))
        doom(connection)
    }

    /// Refuses what came before evhttp has seen it.
    func refuse(_ connection: WebConnection, _ reason: WebRefusal) {
        connection.buffer.dropInput()
        if case .waiting = connection.phase, connection.unsent == 0 {
            let words = statusText(reason.status)
            var reply = "HTTP/1.1 \(reason.status) \(words)\r\n"
            for (name, value) in ResponseHeaders.security + WebRefusal.headers {
                reply += "\(name): \(value)\r\n"
            }
            reply += "Content-Length: \(reason.body.count)\r\nConnection: close\r\n\r\n"
            connection.buffer.sendAtOnce(Array(reply.utf8) + reason.body)
            statistics.replies[reason.status / 100, default: 0] += 1
        }
        turnAway(connection, reason)
    }

    /// Closes a connection once evhttp isn't busy with it.
    func doom(_ connection: WebConnection) {
        guard !connection.isDoomed else { return }
        if case .over = connection.phase { return }
        connection.isDoomed = true
        uncount(connection)
        connection.forgetUnsent()
        doomed.append(connection)
        settleSoon()
    }

    /// Closes what is to be closed.
    func bury() {
        while let connection = doomed.popLast() {
            if case .over = connection.phase { continue }
            if let handle = connection.buffer.connection() {
                handle.tellEnd(to: connection)
                handle.free()
            } else {
                ended(connection)
            }
        }
    }

    /// Forgets a connection that is over, whoever closed it.
    func ended(_ connection: WebConnection) {
        if case .over = connection.phase { return }
        connection.forgetUnsent()
        uncount(connection)
        let phase = connection.finish()
        connections[connection.buffer.id] = nil
        statistics.connections = connections.count
        if connections.isEmpty { rest() }
        switch phase {
        case .answering(let exchange), .replying(let exchange): exchange.finish()
        case .streaming(let stream): stream.finish()
        case .new, .waiting, .dismissed, .over: break
        }
    }

    /// Lets go of those with most unread bytes until the rest of them is within the bound.
    func boundUnsent() {
        while statistics.unsentBytes > limits.unsentBytesInAll {
            guard let most = connections.values.max(by: { $0.unsent < $1.unsent }), most.unsent > 0
            else { return }
            statistics.unreadClosed += 1
            trouble(.unsentInAll)
            doom(most)
        }
    }
}
