internal import Dispatch
internal import Glibc
internal import Locking
internal import SystemPackage

/// Tells of changes of network interfaces, addresses and routes, as the kernel announces them (rtnetlink(7)).
///
/// Sendable though Dispatch does not say so of its sources: ours is set up by `init` and then only cancelled, which any
/// thread may do.
package final class LinkWatch: @unchecked Sendable {
    private let source: any DispatchSourceRead
    private static let bufferSize = 64 << 10
    /// Changes come in groups: one call tells of all within this time.
    private static let gathering = DispatchTimeInterval.milliseconds(50)

    /// `NETLINK_ROUTE`, and its groups `RTMGRP_LINK`, `RTMGRP_IPV4_IFADDR`, `RTMGRP_IPV4_ROUTE`, `RTMGRP_IPV6_IFADDR` and
    /// `RTMGRP_IPV6_ROUTE`, which the Glibc module leaves out.
    private static let routing: Int32 = 0
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

    /// - Parameter body: is called after a change, on a queue of its own.
    /// - Returns: `nil` if the kernel does not report changes.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let number = socket(AF_NETLINK, kind, Self.routing)
        guard number >= 0 else { return nil }
        let descriptor = FileDescriptor(rawValue: number)
        guard Self.bind(number) else {
            try? descriptor.close()
            return nil
        }
        let queue = DispatchQueue(label: "links")
        let isPending = Lock(false)
        source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler {
            Self.drain(descriptor)
            let isFirst = isPending.withLock { pending in
                defer { pending = true }
                return !pending
            }
            guard isFirst else { return }
            queue.asyncAfter(deadline: .now() + Self.gathering) {
                isPending.withLock { $0 = false }
                body()
            }
        }
        source.setCancelHandler { try? descriptor.close() }
        source.resume()
    }

    deinit { source.cancel() }

    /// Binds to the groups by a `struct sockaddr_nl`: family and padding, process, groups.
    private static func bind(_ number: Int32) -> Bool {
        let words: [UInt32] = [UInt32(AF_NETLINK), 0, groups]
        #if _endian(big)
            let address = [words[0] << 16] + words.dropFirst()
        #else
            let address = words
        #endif
        let length = socklen_t(address.count * MemoryLayout<UInt32>.size)
        return unsafe address.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe Glibc.bind(number, start.assumingMemoryBound(to: sockaddr.self), length) == 0
        }
    }

    /// Removes all messages. The facts are looked up anew, also after too many messages (`ENOBUFS`).
    private static func drain(_ descriptor: FileDescriptor) {
        var bytes = [UInt8](repeating: 0, count: bufferSize)
        for _ in 0..<1024 {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe recv(descriptor.rawValue, $0.baseAddress, $0.count, 0)
            }
            if count <= 0, errno != ENOBUFS, errno != EINTR { return }
        }
    }
}
