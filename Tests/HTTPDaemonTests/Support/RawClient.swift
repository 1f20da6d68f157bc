import Glibc

@testable import HTTPDaemon

/// A client that sends exactly what it is told and sees every byte that comes back.
final class RawClient: Sendable {
    struct Failure: Error { let errno: Int32 }

    private let descriptor: Int32
    /// The server lives as long as its clients.
    private let server: HTTPDaemon?

    init(
        port: UInt16, host: String = "127.0.0.1", receiveBuffer: Int32? = nil, server: HTTPDaemon? = nil
    ) throws {
        self.server = server
        guard let address = SocketAddress(host, port: port) else { throw Failure(errno: EINVAL) }
        descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
        }
        // A test that waits longer than this for a byte has failed.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard address.connect(descriptor) == 0 else { throw Failure(errno: errno) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(errno: errno) }
            sent += count
        }
    }

    /// No more will be sent.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Up to `limit` bytes; `[]` at the end of the connection, also when it was reset.
    func receive(limit: Int = 65536) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = unsafe recv(descriptor, &buffer, limit, 0)
        if count < 0, errno == ECONNRESET { return [] }
        guard count >= 0 else { throw Failure(errno: errno) }
        return Array(buffer[..<count])
    }

    /// Whether the connection ends with a reset; what comes before that is read.
    func endsWithReset() throws -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = unsafe recv(descriptor, &byte, 1, 0)
            if count == 0 { return false }
            if count < 0 {
                guard errno == ECONNRESET else { throw Failure(errno: errno) }
                return true
            }
        }
    }

    /// All bytes until the connection ends.
    func receiveAll() throws -> [UInt8] {
        var all: [UInt8] = []
        while case let part = try receive(), !part.isEmpty { all += part }
        return all
    }

    /// Bytes until `text` has come.
    func receive(until text: String) throws -> String {
        var all: [UInt8] = []
        while !String(decoding: all, as: UTF8.self).contains(text) {
            let part = try receive(limit: 1)
            guard !part.isEmpty else { throw Failure(errno: ECONNRESET) }
            all += part
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// One response with Content-Length.
    func response() throws -> Reply {
        let head = try receive(until: "\r\n\r\n")
        var reply = Reply(Array(head.utf8))
        let length = Int(reply.header("content-length") ?? "0") ?? 0
        while reply.body.count < length {
            let part = try receive(limit: length - reply.body.count)
            guard !part.isEmpty else { break }
            reply.body += part
        }
        return reply
    }
}

extension SocketAddress {
    fileprivate func connect(_ descriptor: Int32) -> Int32 {
        var copy = self
        let size = socklen_t(
            family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafeBytes(of: &copy) {
            unsafe Glibc.connect(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
        }
    }
}

/// A response as it came over the wire.
struct Reply {
    let statusLine: String
    let lines: [String]
    var body: [UInt8]

    init(_ bytes: [UInt8]) {
        let end = bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) } ?? bytes.count
        let head = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
        statusLine = head.first ?? ""
        lines = Array(head.dropFirst())
        body = Array(bytes.dropFirst(end + 4))
    }

    var status: Int { Int(statusLine.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? {
        lines.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }
}
