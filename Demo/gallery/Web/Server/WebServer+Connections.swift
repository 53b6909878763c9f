extension WebServer {
    private static let acceptedPerTurn = 64

    /// Creates the buffer for a new connection in evhttp.
    func accepted(on base: OpaquePointer?) -> OpaquePointer? {
        guard let buffer = unsafe BufferHandle(on: base) else { return nil }
        statistics.accepted += 1
        let connection = WebConnection(buffer, of: self)
        connections[buffer.id] = connection
        statistics.connections = connections.count
        acceptedConnections.append(connection)
        // Evhttp accepts connections as long as there are any.
        if acceptedConnections.count == Self.acceptedPerTurn { accept(false) }
        settleSoon()
        return unsafe buffer.pointer
    }

    /// Examines a new connection.
    func welcome(_ connection: WebConnection) {
        guard case .new = connection.phase else { return }
        guard let handle = connection.buffer.connection() else {
            // Evhttp has freed it already, for lack of memory.
            ended(connection)
            return
        }
        handle.tellEnd(to: connection)
        let descriptor = connection.buffer.descriptor
        connection.enter(.waiting)
        guard let local = SocketName.local(of: descriptor),
            let client = SocketName.peer(of: descriptor)
        else {
            scheduleClose(connection)
            return
        }
        let endpoints = Endpoints(local: local, client: client)
        connection.endpoints = endpoints
        clients[endpoints.clientKey, default: [:]][connection.buffer.id] = connection
        welcomed += 1
        if isDraining { scheduleClose(connection) }
    }

    /// Enforces the limits on connections, for those that were accepted in this turn.
    ///
    /// New connections are always accepted. Of an address above its limit the idlest connection is
    /// closed, and of all together the idlest of the address that has most: silent connections cost
    /// their owner nothing, so that otherwise the first to come could block the server.
    ///
    /// For each new one O(addresses), and O(m) for the m connections of the address that has most.
    func boundConnections() {
        guard let first = acceptedConnections.first?.number else { return }
        for newcomer in acceptedConnections where !newcomer.isClosing {
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

    /// Removes a connection from the counts, as it has ended or is to be closed.
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
        scheduleClose(connection)
    }

    /// Rejects input before evhttp has seen it.
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

    /// Schedules the closing of a connection for when evhttp isn't using it.
    func scheduleClose(_ connection: WebConnection) {
        guard !connection.isClosing else { return }
        if case .over = connection.phase { return }
        connection.isClosing = true
        uncount(connection)
        connection.forgetUnsent()
        pendingClose.append(connection)
        settleSoon()
    }

    /// Closes the connections that are scheduled for it.
    func closePending() {
        while let connection = pendingClose.popLast() {
            if case .over = connection.phase { continue }
            if let handle = connection.buffer.connection() {
                handle.tellEnd(to: connection)
                handle.free()
            } else {
                ended(connection)
            }
        }
    }

    /// Removes a connection that has ended, whoever closed it.
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

    /// Closes the connections with most unread bytes until the total is within the limit.
    func boundUnsent() {
        while statistics.unsentBytes > limits.unsentBytesInAll {
            guard let most = connections.values.max(by: { $0.unsent < $1.unsent }), most.unsent > 0
            else { return }
            statistics.unreadClosed += 1
            trouble(.unsentInAll)
            scheduleClose(most)
        }
    }
}
