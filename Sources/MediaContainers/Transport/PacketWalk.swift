/// Moves along the packets of a transport stream: of 188 bytes, or of 192 and 204 with additional bytes.
struct PacketWalk {
    /// Bytes from one packet to the next.
    let stride: Int
    /// The offset of the first packet.
    let start: Int
    private var place: Int
    private let bytes: [UInt8]

    private static let strides = [188, 192, 204]
    /// The number of bytes in which the first packet is searched.
    private static let searched = 1 << 16

    /// Finds the first of several packets; `nil` without any.
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

    /// Whether packets follow each other from an offset on, as far as there are bytes.
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

    /// A packet that was split between the bytes before and these; `nil` if its rest is not in these.
    func completed(_ cut: [UInt8]) -> [UInt8]? {
        let isRest = !cut.isEmpty && stride == TransportPacket.size && start == stride - cut.count
        return isRest ? cut + bytes[..<start] : nil
    }

    /// The number of packets in which the first one of a stream is searched.
    private static let scanned = 4096

    /// Whether a segment continues inside of a PES packet of a stream.
    ///
    /// - Parameter cut: the beginning of a packet at the end of the segment before.
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
