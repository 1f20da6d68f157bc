/// Goes along the packets of a transport stream: of 188 bytes, or of 192 and 204 with something beside each.
struct PacketWalk {
    /// Bytes from one packet to the next.
    let stride: Int
    private var place: Int
    private let bytes: [UInt8]

    private static let strides = [188, 192, 204]
    /// Bytes in which the first packet is looked for.
    private static let searched = 1 << 16

    /// Finds the first of several packets; `nil` when there are none.
    init?(_ bytes: [UInt8]) {
        let places = 0..<min(Self.searched, max(0, bytes.count - TransportPacket.size + 1))
        for place in places where bytes[place] == TransportPacket.sync {
            for stride in Self.strides where Self.isStep(bytes, place, stride) {
                (self.bytes, self.place, self.stride) = (bytes, place, stride)
                return
            }
        }
        return nil
    }

    /// Whether packets follow each other from a place on, as far as there are bytes.
    private static func isStep(_ bytes: [UInt8], _ place: Int, _ stride: Int) -> Bool {
        (1...4).allSatisfy { step in
            let next = place + step * stride
            return next >= bytes.count || bytes[next] == TransportPacket.sync
        }
    }

    /// Where the next packet begins; damaged ones are passed over.
    mutating func next() -> Int? {
        while place + TransportPacket.size <= bytes.count {
            if bytes[place] == TransportPacket.sync {
                defer { place += stride }
                return place
            }
            repeat {
                place += 1
            } while place + TransportPacket.size <= bytes.count
                && !(bytes[place] == TransportPacket.sync && Self.isStep(bytes, place, stride))
        }
        return nil
    }

    /// Packets in which the first one of a stream is looked for.
    private static let scanned = 4096

    /// Whether a segment begins inside of a PES packet of a stream.
    static func goesOn(_ stream: Int, in bytes: [UInt8]) -> Bool {
        guard var walk = PacketWalk(bytes) else { return false }
        for _ in 0..<scanned {
            guard let place = walk.next() else { return false }
            let packet = TransportPacket(bytes, at: place)
            if packet.stream == stream, packet.payload != nil { return !packet.begins }
        }
        return false
    }
}
