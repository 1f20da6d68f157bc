internal import CMicroHTTPD
internal import Glibc

/// An IPv4 or IPv6 address and port in the form the socket calls take.
struct SocketAddress {
    private var storage = sockaddr_storage()

    /// Reads a numeric address.
    init?(_ address: String, port: UInt16) {
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if unsafe inet_pton(AF_INET, address, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            store(v4)
        } else if unsafe inet_pton(AF_INET6, address, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            store(v6)
        } else {
            return nil
        }
    }

    /// The address that the socket is bound to.
    init?(localOf descriptor: Int32) {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let failed = unsafe withUnsafeMutableBytes(of: &storage) {
            unsafe getsockname(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard failed == 0 else { return nil }
    }

    /// A copy of an address that libmicrohttpd holds.
    init(copying address: UnsafePointer<sockaddr>) {
        let size =
            unsafe address.pointee.sa_family == sa_family_t(AF_INET6)
            ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        unsafe withUnsafeMutableBytes(of: &storage) {
            unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    var port: UInt16 {
        // sin_port and sin6_port are at the same place.
        unsafe withUnsafeBytes(of: storage) { unsafe $0.load(fromByteOffset: 2, as: UInt16.self).bigEndian }
    }

    /// The numeric address without port.
    var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let offset = family == AF_INET6 ? 8 : 4  // of sin6_addr, sin_addr
        unsafe withUnsafeBytes(of: storage) {
            _ = unsafe inet_ntop(family, $0.baseAddress?.advanced(by: offset), &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func bind(_ descriptor: Int32) -> Int32 {
        let size = family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        return unsafe withUnsafeBytes(of: storage) {
            unsafe Glibc.bind(
                descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
        }
    }

    private mutating func store<Address>(_ address: Address) {
        unsafe withUnsafeMutableBytes(of: &storage) { target in
            unsafe withUnsafeBytes(of: address) { unsafe target.copyMemory(from: $0) }
        }
    }
}
