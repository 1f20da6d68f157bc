import Foundation

/// The state that the threads of one origin share. Sendable because every property is used with `condition` locked.
final class OriginState: @unchecked Sendable {
    private struct Rule {
        var fault: OriginFault
        var left: Int
    }

    private let condition = NSCondition()
    private var resources: [String: OriginResource] = [:]
    private var folder: String?
    private var rules: [String: [Rule]] = [:]
    private var records: [OriginRequest] = []
    private var sockets: [Int: Socket] = [:]
    private var connections = 0
    private var active = 0
    private var peak = 0
    private var releases = 0
    private var isStopped = false
    private var line: (rate: Double, free: Date)?

    func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    // MARK: - For tests

    func serve(_ path: String, _ resource: OriginResource) { locked { resources[path] = resource } }

    func serve(folder path: String) { locked { folder = path } }

    func remove(_ path: String) { locked { resources[path] = nil } }

    func add(_ fault: OriginFault, to path: String, times: Int) {
        locked { rules[path, default: []].append(Rule(fault: fault, left: times)) }
    }

    func clearFaults(_ path: String) { locked { rules[path] = nil } }

    func limitLine(_ bytesPerSecond: Double) { locked { line = (bytesPerSecond, Date()) } }

    var requests: [OriginRequest] { locked { records } }
    var peakConcurrency: Int { locked { peak } }
    var connectionCount: Int { locked { connections } }

    func forgetRequests() {
        locked {
            records = []
            peak = 0
        }
    }

    /// Lets everything that waits now go on.
    func release() {
        locked {
            releases += 1
            condition.broadcast()
        }
    }

    /// Blocks until as many requests as `count` have come, or the patience ends.
    func waitForRequests(_ count: Int) -> Bool { wait { records.count >= count } }

    /// Blocks until every connection is closed, or the patience ends.
    func waitForNoConnections() -> Bool { wait { sockets.isEmpty } }

    var openConnectionCount: Int { locked { sockets.count } }

    private func wait(_ isFulfilled: () -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: 60)
        return locked {
            while !isFulfilled(), condition.wait(until: limit) {}
            return isFulfilled()
        }
    }

    // MARK: - For connections

    /// Waits until the line that all connections share has carried so many bytes more.
    func waitForLine(_ count: Int) {
        let due: Date? = locked {
            guard let line else { return nil }
            let due = max(line.free, Date()).addingTimeInterval(Double(count) / line.rate)
            self.line?.free = due
            return due
        }
        guard let due else { return }
        Thread.sleep(until: due)
    }

    var hasLineLimit: Bool { locked { line != nil } }

    /// Remembers a connection; 0 when the origin is stopped.
    func open(_ socket: Socket) -> Int {
        locked {
            guard !isStopped else { return 0 }
            connections += 1
            sockets[connections] = socket
            return connections
        }
    }

    func close(_ connection: Int) {
        locked {
            sockets[connection] = nil
            condition.broadcast()
        }
    }

    func stop() {
        let open = locked {
            isStopped = true
            condition.broadcast()
            return Array(sockets.values)
        }
        for socket in open { socket.shutDown() }
    }

    /// The resource and the faults for a request.
    struct Assignment {
        var number: Int
        var resource: OriginResource?
        var faults: [OriginFault]
        /// The releases before the request was known of: a later one counts, however soon it comes.
        var releases: Int
    }

    /// Records a request and says how it is to be answered.
    func begin(_ request: OriginRequest) -> Assignment {
        locked {
            records.append(request)
            active += 1
            peak = max(peak, active)
            condition.broadcast()
            return Assignment(
                number: records.count - 1, resource: resource(of: request), faults: takeFaults(of: request),
                releases: releases)
        }
    }

    /// A resource for exactly this query takes precedence.
    private func resource(of request: OriginRequest) -> OriginResource? {
        if let query = request.query, let found = resources["\(request.path)?\(query)"] { return found }
        return resource(request.path)
    }

    private func resource(_ path: String) -> OriginResource? {
        if let found = resources[path] { return found }
        guard let folder, !path.contains(".."), let data = FileManager.default.contents(atPath: folder + path)
        else {
            return nil
        }
        return OriginResource(bytes: [UInt8](data))
    }

    /// Faults for exactly this query, those of the path, and those of all requests.
    private func takeFaults(of request: OriginRequest) -> [OriginFault] {
        var taken: [OriginFault] = []
        let exact = request.query.map { ["\(request.path)?\($0)"] } ?? []
        for key in exact + [request.path, "*"] {
            for index in (rules[key] ?? []).indices where rules[key]?[index].left != 0 {
                rules[key]?[index].left -= 1
                if let fault = rules[key]?[index].fault { taken.append(fault) }
            }
        }
        return taken
    }

    func note(_ number: Int, _ change: (inout OriginRequest) -> Void) {
        locked {
            if records.indices.contains(number) { change(&records[number]) }
        }
    }

    func end() { locked { active -= 1 } }

    /// Blocks until there were more releases than `seen`, or the origin's end.
    func waitForRelease(after seen: inout Int) {
        locked {
            while releases <= seen, !isStopped { condition.wait() }
            seen += 1
        }
    }
}
