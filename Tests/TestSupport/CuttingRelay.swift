import Foundation

/// A relay before a server of this machine that cuts a connection at a message, once, and counts messages.
/// Sendable because what changes is touched under the lock only.
public final class CuttingRelay: @unchecked Sendable {
    /// The moment of a cut.
    public enum Moment: Sendable, CaseIterable {
        /// The server does not get the message.
        case before
        /// The server gets it, and its answer is lost.
        case after
    }

    private let listener: Socket
    private let target: UInt16
    /// The text of the message at which it cuts.
    private var cut: (text: String, moment: Moment)?
    private var messages: [[UInt8]] = []
    private var isCutOff = false
    private let lock = NSLock()
    private let queue = DispatchQueue(label: "relay", attributes: .concurrent)

    /// The port that it listens on.
    public var port: UInt16 { listener.port }

    /// Relays to a port of 127.0.0.1.
    public init(to target: UInt16) throws {
        listener = try Socket(listeningWithBacklog: 16)
        self.target = target
        let (listener, relay) = (listener, WeakRelay(self))
        queue.async {
            while let client = listener.accepted() { relay.value?.carry(client) }
        }
    }

    deinit { listener.shutDown() }

    /// Cuts the next connection over which a message goes that has `text` in it.
    public func cut(_ moment: Moment, at text: String) { lock.withLock { cut = (text, moment) } }

    /// From now on no message comes through, on no connection.
    public func cutOff() { lock.withLock { isCutOff = true } }

    /// Whether the cut is still to come.
    public var isWaiting: Bool { lock.withLock { cut != nil } }

    /// How many messages with `text` in them came for the server so far.
    public func count(of text: String) -> Int {
        lock.withLock { messages.count { Data($0).range(of: Data(text.utf8)) != nil } }
    }

    private func carry(_ client: Socket) {
        guard let server = try? Socket(connectingTo: target) else { return }
        queue.async { self.pass(client, server) }
        queue.async {
            while case let bytes = server.receive(), !bytes.isEmpty, client.send(bytes) {}
            client.shutDown()
        }
    }

    private func pass(_ client: Socket, _ server: Socket) {
        while case let bytes = client.receive(), !bytes.isEmpty {
            let moment = moment(of: bytes)
            // First the client's side, so that the answer finds nobody.
            if moment != nil { client.shutDown() }
            if moment != .before { server.send(bytes) }
            if moment != nil { break }
        }
        client.shutDown()
        server.shutDown()
    }

    private func moment(of message: [UInt8]) -> Moment? {
        lock.withLock {
            messages.append(message)
            if isCutOff { return .before }
            guard let wanted = cut, Data(message).range(of: Data(wanted.text.utf8)) != nil else { return nil }
            cut = nil
            return wanted.moment
        }
    }
}

/// Sendable because it is only read.
private final class WeakRelay: @unchecked Sendable {
    weak let value: CuttingRelay?
    init(_ value: CuttingRelay) { self.value = value }
}
