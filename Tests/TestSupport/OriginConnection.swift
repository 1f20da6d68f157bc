import Foundation

/// One connection to an origin, on a thread of its own.
struct OriginConnection {
    let socket: Socket
    let state: OriginState
    let number: Int

    /// Answers request after request until one side closes.
    func run() {
        var buffer: [UInt8] = []
        var isReused = false
        while let request = nextRequest(&buffer), answer(request, isReused: isReused) { isReused = true }
        socket.shutDown()
        state.close(number)
    }

    private func nextRequest(_ buffer: inout [UInt8]) -> OriginRequest? {
        while true {
            if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                guard
                    var request = OriginRequest(
                        head: String(decoding: buffer[..<end.lowerBound], as: UTF8.self))
                else { return nil }
                buffer.removeSubrange(..<end.upperBound)
                let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
                while buffer.count < length, case let next = socket.receive(), !next.isEmpty {
                    buffer += next
                }
                request.body = Array(buffer.prefix(length))
                request.connection = number
                buffer.removeFirst(min(length, buffer.count))
                return request
            }
            let next = socket.receive()
            guard !next.isEmpty else { return nil }
            buffer += next
        }
    }

    /// Sends the answer; false when the connection ends with it.
    private func answer(_ request: OriginRequest, isReused: Bool) -> Bool {
        var assignment = state.begin(request)
        defer { state.end() }
        if isReused, assignment.faults.contains(.nonsenseOnReuse) {
            socket.send(Array("the rest of something else\r\n".utf8))
            return false
        }
        for fault in assignment.faults {
            if case .delay(let milliseconds) = fault { usleep(milliseconds * 1000) }
            if fault == .holdHeader { state.waitForRelease(after: &assignment.releases) }
        }
        let response = OriginResponse(
            request, assignment.resource, assignment.faults, serial: assignment.number)
        state.note(assignment.number) { $0.status = response.status }
        if let raw = response.raw {
            socket.send(raw)
            return false
        }
        let isSent = send(response, &assignment)
        if response.end == .reset { socket.resetOnClose() }
        return isSent && response.end == .keep
    }

    private func send(_ response: OriginResponse, _ assignment: inout OriginState.Assignment) -> Bool {
        let record = assignment.number
        let body = response.bodyBytes
        let whole = state.hasLineLimit ? 4 << 10 : 256 << 10
        let step = response.bytesPerSecond.map { max(1, $0 / 20) } ?? whole
        let stall = min(response.stallAfter ?? body.count, body.count)
        let head = Array(response.headText.utf8)
        if response.bytesPerSecond == nil, response.stallAfter == nil, body.count <= step, !state.hasLineLimit
        {
            state.note(record) { $0.bytesSent = body.count }
            return socket.send(head + body)
        }
        guard socket.send(head), send(body[..<stall], step, response, record) else { return false }
        if response.stallAfter != nil { state.waitForRelease(after: &assignment.releases) }
        return send(body[stall...], step, response, record)
    }

    private func send(_ part: ArraySlice<UInt8>, _ step: Int, _ response: OriginResponse, _ record: Int)
        -> Bool
    {
        var rest = part
        while !rest.isEmpty {
            let chunk = rest.prefix(step)
            state.waitForLine(chunk.count)
            guard socket.send(chunk) else { return false }
            rest = rest.dropFirst(step)
            state.note(record) { $0.bytesSent += chunk.count }
            if response.bytesPerSecond != nil { usleep(50_000) }
        }
        return true
    }
}
