internal import MediaContainers

/// Decrypts SAMPLE-AES in an MPEG-2 transport stream in place: no packet moves, no time stamp changes. Bytes are
/// returned as soon as the PES packets in them are complete.
package struct TransportStreamDecryption: StreamDecryption {
    /// The received bytes that were not returned yet.
    private var bytes: [UInt8] = []
    /// The first transport packet that was not looked at.
    private var next = 0
    private let aes: SampleAES
    private var tables: TransportTables
    /// The PES packets that are being gathered, by their streams: the positions of their pieces.
    private var gathered: [Int: [Range<Int>]] = [:]
    private static let packetSize = TransportPacket.size
    /// The largest number of bytes that wait for the end of a PES packet.
    private static let largestBacklog = 64 << 20

    /// - Parameter tables: the tables of its initialization section, if it has one.
    package init(_ aes: SampleAES, _ tables: TransportTables = TransportTables()) {
        (self.aes, self.tables) = (aes, tables)
    }

    package mutating func append(_ more: [UInt8]) throws(StoreError) -> [UInt8] {
        bytes += more
        while next + Self.packetSize <= bytes.count {
            let wasKnown = tables.hasMap
            if try !isTable(at: next) { try gather(at: next) }
            if !wasKnown, tables.hasMap { try gatherBefore(next) }
            next += Self.packetSize
        }
        let waiting = gathered.values.lazy.compactMap(\.first?.lowerBound).min()
        // Nothing is returned before the tables are known, since it is unknown which bytes are encrypted.
        let ready = tables.hasMap ? waiting.map { min($0, next) } ?? next : 0
        guard bytes.count - ready <= Self.largestBacklog else { throw StoreError(.integrity(.undecryptable)) }
        return take(ready)
    }

    package mutating func end() throws(StoreError) -> [UInt8] {
        guard tables.hasMap || bytes.isEmpty else { throw StoreError(.integrity(.undecryptable)) }
        for stream in gathered.keys.sorted() { try finish(stream) }
        return take(bytes.count)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        let ready = Array(bytes[..<count])
        bytes.removeFirst(count)
        next -= min(count, next)
        gathered = gathered.mapValues { $0.map { $0.lowerBound - count..<$0.upperBound - count } }
        return ready
    }

    /// Reads a transport packet if it holds a table. The result tells whether it does.
    private mutating func isTable(at start: Int) throws(StoreError) -> Bool {
        guard bytes[start] == TransportPacket.sync else { throw StoreError(.integrity(.undecryptable)) }
        let packet = TransportPacket(bytes, at: start)
        guard packet.begins, let payload = packet.payload else { return false }
        return tables.read(payload, of: packet.stream, in: &bytes)
    }

    /// Adds a transport packet to the PES packet that it is a piece of.
    private mutating func gather(at start: Int) throws(StoreError) {
        let packet = TransportPacket(bytes, at: start)
        guard tables.kinds[packet.stream] != nil, let payload = packet.payload else { return }
        if packet.begins { try finish(packet.stream) }
        gathered[packet.stream, default: []].append(payload)
    }

    /// Gathers the packets that came before the tables and were held back.
    private mutating func gatherBefore(_ end: Int) throws(StoreError) {
        for start in stride(from: 0, to: end, by: Self.packetSize) { try gather(at: start) }
    }

    private mutating func finish(_ stream: Int) throws(StoreError) {
        guard let pieces = gathered.removeValue(forKey: stream), let kind = tables.kinds[stream] else {
            return
        }
        var packet: [UInt8] = []
        for piece in pieces { packet += bytes[piece] }
        guard packet.count > 8, packet.number(at: 0, 3) == 1 else { return }
        let header = min(9 + Int(packet[8]), packet.count)
        // Bytes behind the packet's own length are stuffing.
        let length = Int(packet.number(at: 4, 2))
        let end = length == 0 ? packet.count : min(packet.count, 6 + length)
        var content = Array(packet[header..<max(header, end)])
        switch kind {
        case .video: try aes.video(&content)
        case .audio(let audio): try aes.audio(&content, 0..<content.count, kind: audio)
        }
        packet.replaceSubrange(header..<header + content.count, with: content)
        var position = 0
        for piece in pieces {
            bytes.replaceSubrange(piece, with: packet[position..<position + piece.count])
            position += piece.count
        }
    }
}
