import Glibc

/// An IPv4 or IPv6 address by its bytes.
struct IPAddress: Sendable, Hashable {
    /// The networks that an address may reach.
    enum Reach: Sendable, Hashable {
        case global, loopback, linkLocal, privateNetwork, unspecified, metadata, reserved
    }

    /// Four or sixteen bytes in network order.
    let bytes: [UInt8]

    /// Takes the address out of a socket address; nil for families other than IPv4 and IPv6.
    init?(socketAddress: [UInt8]) {
        guard socketAddress.count >= 8 else { return nil }
        let family = Int32(socketAddress[0]) | Int32(socketAddress[1]) << 8
        if family == AF_INET {
            bytes = Array(socketAddress[4..<8])
        } else if family == AF_INET6, socketAddress.count >= 24 {
            bytes = Array(socketAddress[8..<24])
        } else {
            return nil
        }
    }

    /// Parses dotted IPv4 or an IPv6 address with or without brackets; nil for names.
    init?(_ text: String) {
        let bare = String(text.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" })
        var storage = [UInt8](repeating: 0, count: 16)
        let family = bare.contains(":") ? AF_INET6 : AF_INET
        guard unsafe inet_pton(family, bare, &storage) == 1 else { return nil }
        bytes = family == AF_INET ? Array(storage[..<4]) : storage
    }

    /// The port in network order at the same place of both socket addresses.
    static func port(socketAddress: [UInt8]) -> UInt16 {
        guard socketAddress.count >= 4 else { return 0 }
        return UInt16(socketAddress[2]) << 8 | UInt16(socketAddress[3])
    }

    var reach: Reach {
        if bytes.count == 4 { return IPAddress.reach(v4: bytes) }
        if let embedded = embeddedV4 { return IPAddress.reach(v4: embedded) }
        if bytes == IPAddress.metadataV6 { return .metadata }
        if bytes.dropLast().allSatisfy({ $0 == 0 }) { return bytes[15] == 1 ? .loopback : .unspecified }
        if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return .linkLocal }
        if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0xC0 { return .privateNetwork }
        if bytes[0] & 0xFE == 0xFC { return .privateNetwork }
        return bytes[0] == 0xFF ? .reserved : .global
    }

    /// fd00:ec2::254.
    private static let metadataV6: [UInt8] = [0xFD, 0, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54]

    /// The IPv4 address inside a mapped (::ffff:0:0/96), compatible (::/96), NAT64 (64:ff9b::/96) or
    /// 6to4 (2002::/16) address.
    private var embeddedV4: [UInt8]? {
        let head = Array(bytes[..<12])
        let zeros = [UInt8](repeating: 0, count: 12)
        if head == Array(zeros[..<10]) + [0xFF, 0xFF] { return Array(bytes[12...]) }
        if head == [0, 0x64, 0xFF, 0x9B] + Array(zeros[..<8]) { return Array(bytes[12...]) }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return Array(bytes[2..<6]) }
        return head == zeros && bytes[12] != 0 ? Array(bytes[12...]) : nil
    }

    private static func reach(v4 bytes: [UInt8]) -> Reach {
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (169, 254, 169, 254), (100, 100, 100, 200): .metadata
        case (0, _, _, _): .unspecified
        case (127, _, _, _): .loopback
        case (169, 254, _, _): .linkLocal
        case (10, _, _, _), (172, 16...31, _, _), (192, 168, _, _), (100, 64...127, _, _): .privateNetwork
        case (224..., _, _, _): .reserved
        default: .global
        }
    }
}
