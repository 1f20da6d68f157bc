import Foundation

/// Bytes to a server on 127.0.0.1 and bytes back, for what no HTTP library would send.
public final class RawHTTPClient: Sendable {
    private let socket: Socket

    /// Connects.
    public init(port: UInt16) throws { socket = try Socket(connectingTo: port) }

    /// Sends text; false when the server has closed.
    @discardableResult
    public func send(_ text: String) -> Bool { socket.send(Array(text.utf8)) }

    /// Sends bytes; false when the server has closed.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes) }

    /// Everything until the server closes.
    public func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        while case let next = socket.receive(), !next.isEmpty { bytes += next }
        return bytes
    }

    /// One response: its header text, and as many body bytes as `Content-Length` says.
    public func readResponse() -> (head: String, body: [UInt8]) {
        var bytes: [UInt8] = []
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                return (
                    head, body(after: Array(bytes[end.upperBound...]), length: RawHTTPClient.length(in: head))
                )
            }
            let next = socket.receive()
            guard !next.isEmpty else { return (String(decoding: bytes, as: UTF8.self), []) }
            bytes += next
        }
    }

    private func body(after start: [UInt8], length: Int) -> [UInt8] {
        var body = start
        while body.count < length, case let next = socket.receive(), !next.isEmpty { body += next }
        return body
    }

    private static func length(in head: String) -> Int {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-length:") {
            return Int(line.dropFirst(15).filter { $0 != " " }) ?? 0
        }
        return 0
    }

    /// Lines of head and body as they come, until one that is wanted or the end; chunk sizes are among them.
    public func readLines(until isWanted: (String) -> Bool) -> [String] {
        var lines: [String] = []
        var rest: [UInt8] = []
        while case let next = socket.receive(), !next.isEmpty {
            rest += next
            while let end = rest.firstIndex(of: 0x0A) {
                let line = String(decoding: rest[..<end], as: UTF8.self).filter { $0 != "\r" }
                rest.removeFirst(end + 1)
                lines.append(line)
                if isWanted(line) { return lines }
            }
        }
        return lines
    }

    /// Ends the connection.
    public func close() { socket.shutDown() }
}
