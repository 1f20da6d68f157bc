/// The tables of a transport stream as they come: which streams there are.
struct TransportTables: Sendable {
    /// The streams of the present program.
    private(set) var map: ProgramMap?
    /// The packet identifier of its map.
    private var mapStream: Int?
    private var association = SectionAssembler()
    private var maps: [Int: SectionAssembler] = [:]

    /// The index of tables among those of readers.
    static let slot = -2
    /// The number of packets at the beginning of a segment in which its first map is searched.
    private static let scanned = 4096
    /// More programs than a segment has.
    private static let mostMaps = 64

    /// The packet identifiers of all tables.
    var streams: [Int] { [0] + maps.keys }

    /// Looks for the first map in a segment: media may stand before it.
    mutating func scan(_ walk: PacketWalk, _ bytes: [UInt8]) {
        var walk = walk
        for _ in 0..<(map == nil ? Int.max : Self.scanned) {
            guard let place = walk.next() else { return }
            let stream = Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2])
            guard stream == 0 || maps[stream] != nil else { continue }
            _ = take(place, bytes)
            if stream == mapStream { return }
        }
    }

    /// Takes a packet of a table.
    ///
    /// - Returns: whether the tables have changed.
    mutating func take(_ place: Int, _ bytes: [UInt8]) -> Bool {
        let packet = TransportPacket(bytes, at: place)
        guard let payload = packet.payload else { return false }
        if packet.stream == 0 {
            return association.take(bytes[payload], begins: packet.begins)
                .reduce(false) { takeAssociation($1) || $0 }
        }
        let sections = maps[packet.stream]?.take(bytes[payload], begins: packet.begins) ?? []
        return sections.reduce(false) { takeMap($1, of: packet.stream) || $0 }
    }

    private mutating func takeAssociation(_ section: [UInt8]) -> Bool {
        let named = ProgramTable.maps(section).prefix(Self.mostMaps)
        guard !named.isEmpty, section[0] == 0 else { return false }
        let known = maps
        // A table of several sections names some of its maps in each.
        let isAlone = section[7] == 0
        maps = isAlone ? [:] : known
        for stream in named where maps.count < Self.mostMaps {
            maps[stream] = known[stream] ?? SectionAssembler()
        }
        if let mapStream, maps[mapStream] == nil { self.mapStream = nil }
        return true
    }

    private mutating func takeMap(_ section: [UInt8], of stream: Int) -> Bool {
        guard let map = ProgramMap(section), mapStream == nil || mapStream == stream else { return false }
        guard map.entries.contains(where: { $0.kind != .other && $0.kind != .metadata }) else { return false }
        mapStream = stream
        guard map != self.map else { return false }
        self.map = map
        return true
    }
}
