internal import HTTPTypes
internal import Locking

extension Exchange {
    /// The next step of a request, on the thread that serves the connection. `false` closes the connection.
    func proceed(on handle: OpaquePointer, head: HeadPointers, content: UnsafeRawBufferPointer) -> Bool {
        switch stage {
        case .head:
            return unsafe receive(head, on: handle)
        case .body(let request):
            guard unsafe content.isEmpty else { return unsafe receive(content) }
            return unsafe respond(to: request, on: handle)
        case .deferred(let request):
            return unsafe send(takeAnswer(to: request), on: handle)
        case .answered:
            return true
        }
    }

    /// libmicrohttpd is done with the request; the connection's descriptor is still open.
    ///
    /// - Parameter isWhole: whether the answer was sent, and not given up for time or because the daemon stops.
    func complete(isWhole: Bool) {
        // The data in the send queue may already end with a plain end of the connection: a reset drops both.
        if !isWhole, endsWithConnection { connection.reset() }
        connection.state.withLock { $0.watch.requestEnded() }
        if isAdmitted { end() }
    }

    private func receive(_ head: HeadPointers, on handle: OpaquePointer) -> Bool {
        let guardian = RequestGuard(bodyLimit: core.configuration.bodyLimit)
        do throws(Refusal) {
            let known = connection.state.withLock { $0.fields }
            let raw = try unsafe read(head, last: known?.lines.bytes ?? [], on: handle)
            let request = try guardian.admit(raw, peer: connection.peer, known: known)
            isHead = request.isHead
            takesInterim = raw.minorVersion > 0
            if request.isChunked { isLast = true }
            stage = .body(request)
            connection.state.withLock { state in
                state.watch.headEnded()
                state.fields = request.fields.isRepeatable ? request.fields : nil
            }
            // libmicrohttpd closes the connection after a refusal that is sent before the content is read.
            guard request.isTooLong else { return true }
            return unsafe refuse(.contentTooLarge, of: request, on: handle)
        } catch {
            return unsafe refuse(error, on: handle)
        }
    }

    private func read(
        _ head: HeadPointers, last: [UInt8], on handle: OpaquePointer
    ) throws(Refusal) -> RawHead {
        let limit = core.configuration.headLimit
        guard unsafe head.size <= limit else {
            throw target.count > limit / 2 ? .targetTooLong : .headTooLarge
        }
        guard core.configuration.readsHeadsInPlace else {
            return try unsafe head.read(target: target, fields: LibraryFields.copy(from: handle))
        }
        return try unsafe head.readInPlace(
            target: target, last: last, lineCount: LibraryFields.count(from: handle))
    }

    /// Collects content. Content over the limit is dropped and refused at its end, unless it is far too much.
    private func receive(_ content: UnsafeRawBufferPointer) -> Bool {
        let limit = core.configuration.bodyLimit
        received += content.count
        guard received <= limit else {
            body = []
            return received - limit <= limit
        }
        unsafe body.append(contentsOf: content)
        return true
    }

    private func respond(to request: Request, on handle: OpaquePointer) -> Bool {
        guard received <= core.configuration.bodyLimit else {
            return unsafe refuse(.contentTooLarge, of: request, on: handle)
        }
        guard !core.isStopping else { return unsafe refuse(.stopping, of: request, on: handle) }
        connection.state.withLock { $0.watch.bodyEnded() }
        var request = request
        request.body = body
        switch core.responder.respond(to: request) {
        case .prepared(let prepared):
            stage = .answered
            return unsafe prepared.response.queue(on: handle)
        case .response(let response):
            return unsafe send(response, on: handle)
        case .later(let deadline, let pool, let work):
            stage = .deferred(request)
            if rest(deadline: deadline, request: request, on: pool, work: work) { return true }
            return unsafe refuse(.stopping, of: request, on: handle)
        }
    }

    private func refuse(_ refusal: Refusal, of request: Request? = nil, on handle: OpaquePointer) -> Bool {
        connection.state.withLock { $0.watch.bodyEnded() }
        isLast = true
        return unsafe send(core.responder.refuse(refusal, of: request), on: handle)
    }

    private func send(_ response: Response, on handle: OpaquePointer) -> Bool {
        stage = .answered
        var response = response
        if isLast { response.headers[.connection] = "close" }
        var stream: StreamBody?
        if case .stream(let length, let source) = response.body {
            stream = StreamBody(source, length: length, exchange: self)
            endsWithConnection = length == nil && !takesInterim
            streamBegins(length: length)
        }
        return unsafe LibraryResponse(response, stream: stream).queue(on: handle)
    }
}
