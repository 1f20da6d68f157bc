import Foundation

/// A real HTTP/1.1 origin on 127.0.0.1 with scripted faults, a thread a connection.
///
///     let origin = try OriginServer()
///     origin.serve("/a.ts", bytes: OriginResource.pattern(1000))
///     origin.fault("/a.ts", .truncate(after: 100), times: 1)
///     origin.url("/a.ts")
public final class OriginServer: Sendable {
    private let state = OriginState()
    private let listener: Socket
    /// The port it listens on.
    public let port: UInt16

    /// Starts on a port that the system picks.
    public init() throws {
        let listener = try Socket(listeningWithBacklog: 256)
        self.listener = listener
        port = listener.port
        OriginServer.spawn { [state] in
            while let socket = listener.accepted() {
                let number = state.open(socket)
                guard number > 0 else { return }
                OriginServer.spawn { OriginConnection(socket: socket, state: state, number: number).run() }
            }
        }
    }

    deinit { stop() }

    private static func spawn(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// The URL of a path.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Serves these bytes under a path, in place of what was there; a path with a query is for that query alone.
    public func serve(_ path: String, bytes: [UInt8], contentType: String = "application/octet-stream") {
        state.serve(path, OriginResource(bytes: bytes, contentType: contentType))
    }

    /// Serves this text under a path.
    public func serve(_ path: String, text: String, contentType: String = "application/vnd.apple.mpegurl") {
        serve(path, bytes: Array(text.utf8), contentType: contentType)
    }

    /// Serves a resource under a path.
    public func serve(_ path: String, _ resource: OriginResource) { state.serve(path, resource) }

    /// Serves the files of a folder under the paths that have no resource of their own.
    public func serve(folder: String) { state.serve(folder: folder) }

    /// Serves a path no longer: 404.
    public func remove(_ path: String) { state.remove(path) }

    /// Departs from correct service in the next `times` answers for a path, or for every path (`"*"`).
    public func fault(_ path: String, _ fault: OriginFault, times: Int = .max) {
        state.add(fault, to: path, times: times)
    }

    /// Serves a path correctly again.
    public func clearFaults(_ path: String) { state.clearFaults(path) }

    /// From now on all connections share a line of so many bytes a second, about equally.
    public func limitLine(bytesPerSecond: Double) { state.limitLine(bytesPerSecond) }

    /// Lets the answers that `holdHeader` and `stall` hold back now go on.
    public func release() { state.release() }

    /// Every request so far, in order.
    public var requests: [OriginRequest] { state.requests }

    /// The requests for a path.
    public func requests(for path: String) -> [OriginRequest] { requests.filter { $0.path == path } }

    /// Forgets requests and the peak.
    public func forgetRequests() { state.forgetRequests() }

    /// The most requests that were being answered at one time.
    public var peakConcurrency: Int { state.peakConcurrency }

    /// How many connections have been accepted.
    public var connectionCount: Int { state.connectionCount }

    /// Connections that are open now.
    public var openConnectionCount: Int { state.openConnectionCount }

    /// Waits until `count` requests have come; false after a minute without.
    public func waitForRequests(_ count: Int) async -> Bool {
        await OriginServer.waiting { [state] in state.waitForRequests(count) }
    }

    /// Waits until clients have closed every connection; false after a minute.
    public func waitForNoConnections() async -> Bool {
        await OriginServer.waiting { [state] in state.waitForNoConnections() }
    }

    private static func waiting(_ body: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            spawn { continuation.resume(returning: body()) }
        }
    }

    /// Closes every connection and the port.
    public func stop() {
        listener.shutDown()
        state.stop()
    }
}
