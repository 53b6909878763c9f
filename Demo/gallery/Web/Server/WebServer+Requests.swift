extension WebServer {
    /// Accepts a request from evhttp.
    func received(_ request: RequestHandle) {
        guard let id = request.connectionID, let connection = connections[id],
            case .waiting = connection.phase, let endpoints = connection.endpoints
        else {
            // A connection unknown to this server has no limits, so it is closed.
            request.reply(503, .closing, [])
            return
        }
        // It is about to be closed; evhttp reads nothing more until then.
        guard !connection.isClosing else { return }
        let raw = request.raw
        request.tellTaken(to: connection)
        do throws(WebRefusal) {
            let head = try RequestHead(raw, hosts: hosts, at: endpoints)
            let exchange = WebExchange(head, request, of: connection)
            connection.enter(.answering(exchange))
            handler(exchange)
        } catch {
            statistics.refused[error, default: 0] += 1
            trouble(.refused(error), host: error == .foreignHost ? raw.host : nil)
            let exchange = WebExchange(refused: raw, request, of: connection)
            connection.enter(.answering(exchange))
            let allowed = error == .method ? [("Allow", "GET, HEAD, POST")] : []
            exchange.reply(error.status, allowed + WebRefusal.headers, error.body)
        }
    }

    /// Sends a reply; `body` is nil if it is sent in parts.
    func reply(
        _ exchange: WebExchange, on connection: WebConnection, _ status: Int,
        _ own: [(String, String)], _ body: [UInt8]?
    ) {
        var headers = ResponseHeaders(own)
        let isLast = exchange.isLast || isDraining
        if isLast { headers.add("Connection", "close") }
        let took = clock.now - exchange.came
        let request = exchange.request
        if let body {
            // Evhttp would send a body where none is allowed.
            let hasBody = exchange.method != .head && status != 204 && status != 304
            if status != 204, status != 304 { headers.add("Content-Length", String(body.count)) }
            request.reply(status, headers, hasBody ? body : [])
        } else {
            request.begin(status, headers)
        }
        statistics.replies[status / 100, default: 0] += 1
        boundUnsent()
        onRequest?(exchange.methodName, exchange.path, status, took, exchange.address)
    }

    /// Handles the end of a reply; evhttp will read the next request or close the connection.
    func taken(_ connection: WebConnection) {
        let phase = connection.phase
        connection.enter(.waiting)
        guard case .replying(let exchange) = phase else { return }
        if isDraining {
            scheduleClose(connection)
        } else if !exchange.isLast {
            connection.nextRequest()
        }
        exchange.finish()
    }

    /// Handles the end of a part of a reply.
    func partTaken(_ connection: WebConnection) {
        guard case .replying(let exchange) = connection.phase, !connection.isClosing else { return }
        exchange.sendNextPart()
    }

    /// Handles output that evhttp wrote by itself: an error page for a request it couldn't read, or
    /// 100 Continue.
    func libraryReplied(_ connection: WebConnection) {
        let start = String(decoding: connection.buffer.outputStart(12), as: UTF8.self)
        guard start.hasPrefix("HTTP/1."), let status = Int(start.suffix(3)), status >= 400 else {
            return
        }
        connection.enter(.dismissed)
        statistics.refused[.unreadable, default: 0] += 1
        statistics.replies[status / 100, default: 0] += 1
        // Only the first line is in the buffer, so headers can be appended.
        var lines = ""
        for (name, value) in ResponseHeaders.security { lines += "\(name): \(value)\r\n" }
        connection.buffer.appendOutput(Array(lines.utf8))
        trouble(.refused(.unreadable))
        onRequest?("-", "-", status, .zero, connection.endpoints?.client ?? "-")
    }
}

extension ResponseHeaders {
    /// The headers of a reply that ends the connection.
    static var closing: ResponseHeaders {
        var headers = ResponseHeaders([])
        headers.add("Content-Length", "0")
        headers.add("Connection", "close")
        return headers
    }
}
