import Foundation

/// A TCP socket over IPv4, closed with the object. Blocking.
public final class Socket: Sendable {
    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects to a port of 127.0.0.1.
    public convenience init(connectingTo port: UInt16) throws {
        let descriptor = Socket.make()
        self.init(descriptor: descriptor)
        let code = unsafe Socket.withLoopback(port: port) { unsafe connect(descriptor, $0, $1) }
        guard descriptor >= 0, code == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    /// Listens on a port of 127.0.0.1 that the system picks.
    convenience init(listeningWithBacklog backlog: Int32) throws {
        let descriptor = Socket.make()
        self.init(descriptor: descriptor)
        let code = unsafe Socket.withLoopback(port: 0) { unsafe bind(descriptor, $0, $1) }
        guard descriptor >= 0, code == 0, listen(descriptor, backlog) == 0 else {
            throw POSIXError(.EADDRINUSE)
        }
    }

    /// Not for the programs that tests start: they would keep it open.
    private static func make() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    private static func withLoopback(
        port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }

    /// The local port.
    var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe _ = getsockname(descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits for a connection; nil once the socket is shut down.
    func accepted() -> Socket? {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        var one: Int32 = 1
        unsafe setsockopt(
            connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        return Socket(descriptor: connection)
    }

    /// Sends everything; false when the peer is gone.
    @discardableResult
    public func send(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// The next bytes; empty at the end of the connection.
    public func receive(atMost count: Int = 65536) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            unsafe length = max(0, recv(descriptor, buffer.baseAddress, count, 0))
        }
    }

    /// Ends both directions, so that a blocked call in another thread returns.
    public func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Makes the close a reset.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
