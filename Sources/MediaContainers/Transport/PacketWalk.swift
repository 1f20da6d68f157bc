/// Goes along the packets of a transport stream: of 188 bytes, or of 192 and 204 with something beside each.
struct PacketWalk {
    /// Bytes from one packet to the next.
    let stride: Int
    /// The offset of the first packet.
    let start: Int
    private var place: Int
    private let bytes: [UInt8]

    private static let strides = [188, 192, 204]
    /// Bytes in which the first packet is looked for.
    private static let searched = 1 << 16

    /// Finds the first of several packets; `nil` when there are none.
    init?(_ bytes: [UInt8]) {
        let places = 0..<min(Self.searched, max(0, bytes.count - TransportPacket.size + 1))
        for place in places where bytes[place] == TransportPacket.sync {
            for stride in Self.strides where Self.isStep(bytes, at: place, stride: stride) {
                (self.bytes, start, self.place, self.stride) = (bytes, place, place, stride)
                return
            }
        }
        return nil
    }

    /// Whether packets follow each other from a place on, as far as there are bytes.
    private static func isStep(_ bytes: [UInt8], at place: Int, stride: Int) -> Bool {
        (1...4).allSatisfy { step in
            let next = place + step * stride
            return next >= bytes.count || bytes[next] == TransportPacket.sync
        }
    }

    /// The offset of the next packet; damaged ones are skipped.
    mutating func next() -> Int? {
        while place + TransportPacket.size <= bytes.count {
            if bytes[place] == TransportPacket.sync {
                defer { place += stride }
                return place
            }
            repeat {
                place += 1
            } while place + TransportPacket.size <= bytes.count
                && !(bytes[place] == TransportPacket.sync && Self.isStep(bytes, at: place, stride: stride))
        }
        return nil
    }

    /// A packet that the end of the bytes cuts, once all others were visited; empty without one.
    var cut: [UInt8] {
        let isPacket = stride == TransportPacket.size && place < bytes.count
        return isPacket && bytes[place] == TransportPacket.sync ? Array(bytes[place...]) : []
    }

    /// A packet of which the first bytes were cut from bytes before; `nil` where the rest is not in these.
    func completed(_ cut: [UInt8]) -> [UInt8]? {
        let isRest = !cut.isEmpty && stride == TransportPacket.size && start == stride - cut.count
        return isRest ? cut + bytes[..<start] : nil
    }

    /// Packets in which the first one of a stream is looked for.
    private static let scanned = 4096

    /// Whether a segment goes on inside of a PES packet of a stream.
    ///
    /// - Parameter cut: the beginning of a packet that the segment before cut.
    static func goesOn(_ stream: Int, in bytes: [UInt8], after cut: [UInt8]) -> Bool {
        guard var walk = PacketWalk(bytes) else { return false }
        func answer(_ packet: TransportPacket) -> Bool? {
            packet.stream == stream && packet.payload != nil ? !packet.begins : nil
        }
        if let first = walk.completed(cut), let answer = answer(TransportPacket(first, at: 0)) {
            return answer
        }
        for _ in 0..<scanned {
            guard let place = walk.next() else { return false }
            if let answer = answer(TransportPacket(bytes, at: place)) { return answer }
        }
        return false
    }
}
