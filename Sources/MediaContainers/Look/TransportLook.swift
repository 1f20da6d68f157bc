/// A look at an MPEG-2 transport stream (ISO/IEC 13818-1): is it in step, and does a stream begin in it?
struct TransportLook {
    /// Bytes from one packet to the next: 188, or 192 and 204 with a time stamp or a checksum beside each packet.
    private let stride: Int
    private var packets = 0
    private var lost = 0
    private var firstLoss: Int?
    private var mapStreams: Set<Int> = []
    /// The streams of video, audio and data in program maps; empty until all maps are known.
    private var listed: Set<Int> = []
    private var hasTables = false
    private var hasLongTables = false
    private var hasPayload = false
    private var hasStart = false
    private var isScrambled = false

    private static let strides = [188, 192, 204]

    private init(stride: Int) { self.stride = stride }

    /// Whether bytes may be packets; for packets of 188 bytes the first byte decides.
    static func mayBegin(_ head: [UInt8]) -> Bool {
        head.first == TransportPacket.sync || head.count > 4 && head[4] == TransportPacket.sync
    }

    /// Judges bytes that may be a transport stream; `nil` for other bytes.
    static func judge<Source: MediaBytes>(
        _ source: Source, _ role: MediaExpectation.Role
    ) throws(Source.Failure) -> MediaVerdict? {
        var window = ByteWindow(source)
        guard let (start, stride) = try place(of: &window) else { return nil }
        var look = TransportLook(stride: stride)
        try look.scan(&window, from: start)
        return look.verdict(of: source.count, role)
    }

    /// Whether bytes begin inside a packet of 188 bytes, and continue with whole ones. The bytes before those must
    /// not be a picture, page or tag.
    static func goesOn<Source: MediaBytes>(in source: Source, _ head: [UInt8]) throws(Source.Failure) -> Bool
    {
        var window = ByteWindow(source)
        for start in 1..<TransportPacket.size
        where try isStep(&window, at: start, stride: TransportPacket.size) {
            let rest = Array(head.prefix(start))
            let isWrapping = start >= 16 && ForeignFormat(head: rest) != nil || rest.starts(with: "ID3".utf8)
            guard !isWrapping else { return false }
            var look = TransportLook(stride: TransportPacket.size)
            try look.scan(&window, from: start)
            return look.verdict(of: source.count - start, .segment) == .media(.transportStream)
        }
        return false
    }

    /// The offset of the first packet, and the distance to the next one.
    static func place<Source: MediaBytes>(
        of window: inout ByteWindow<Source>
    ) throws(Source.Failure) -> (start: Int, stride: Int)? {
        for stride in strides {
            let start = stride == 192 ? 4 : 0
            guard try window.number(at: start, 1) == UInt64(TransportPacket.sync) else { continue }
            let next = try (1...4).map { step throws(Source.Failure) in
                try window.number(at: start + step * stride, 1)
            }.compactMap(\.self)
            let found = next.count { $0 == UInt64(TransportPacket.sync) }
            // A single packet is a transport stream, too, and some may be damaged.
            if found >= max(1, next.count / 2) || next.isEmpty && window.source.count >= TransportPacket.size
            {
                return (start, stride)
            }
        }
        return nil
    }

    private mutating func scan<Source: MediaBytes>(
        _ window: inout ByteWindow<Source>, from start: Int
    ) throws(Source.Failure) {
        var offset = start
        var look = self
        var hasSamples = false
        while offset + TransportPacket.size <= window.source.count {
            if look.isSettled, !hasSamples {
                hasSamples = true
                if try look.isInStep(window.source, from: offset) { break }
            }
            let isInStep = try window.withBytes(at: offset, TransportPacket.size) { bytes, place in
                look.take(bytes, place)
            }
            if isInStep == true {
                offset += stride
            } else if let next = try Self.nextStep(&window, after: offset, stride) {
                look.lose(next - offset, at: offset)
                offset = next
            } else {
                look.lose(window.source.count - offset, at: offset)
                break
            }
        }
        self = look
    }

    /// Whether only the packet spacing matters from here on.
    private var isSettled: Bool { hasStart || isScrambled && (hasTables || packets > 2) }

    private static let samples = 32
    private static let packetsOfSample = 4

    /// Whether samples of the rest are at packet boundaries. The distance of samples is small enough to find each
    /// relevant loss; reading all of a large segment would take half the time of hashing it.
    private func isInStep<Source: MediaBytes>(
        _ source: Source, from start: Int
    ) throws(Source.Failure) -> Bool {
        let left = (source.count - start) / stride
        guard left > 8 * Self.samples * Self.packetsOfSample else { return false }
        for sample in 0...Self.samples {
            let packet = min(left * sample / Self.samples, left - Self.packetsOfSample)
            let bytes = try source.read(at: start + packet * stride, count: Self.packetsOfSample * stride)
            for place in Swift.stride(from: 0, to: bytes.count, by: stride)
            where bytes[place] != TransportPacket.sync {
                return false
            }
        }
        return true
    }

    private mutating func lose(_ count: Int, at offset: Int) {
        lost += count
        firstLoss = firstLoss ?? offset
    }

    /// The next place where three packets follow each other, or fewer up to the end.
    private static func nextStep<Source: MediaBytes>(
        _ window: inout ByteWindow<Source>, after offset: Int, _ stride: Int
    ) throws(Source.Failure) -> Int? {
        var place = offset + 1
        while place + TransportPacket.size <= window.source.count {
            let skipped = try window.withBytes(at: place, TransportPacket.size) { bytes, start in
                bytes[start..<start + TransportPacket.size].firstIndex(of: TransportPacket.sync).map {
                    $0 - start
                }
            }
            guard let skipped = skipped ?? nil else {
                place += TransportPacket.size
                continue
            }
            place += skipped
            if try isStep(&window, at: place, stride: stride) { return place }
            place += 1
        }
        return nil
    }

    private static func isStep<Source: MediaBytes>(
        _ window: inout ByteWindow<Source>, at place: Int, stride: Int
    ) throws(Source.Failure) -> Bool {
        guard place + TransportPacket.size <= window.source.count else { return false }
        for step in 0..<3 {
            guard let byte = try window.number(at: place + step * stride, 1) else { return step > 0 }
            guard byte == UInt64(TransportPacket.sync) else { return false }
        }
        return true
    }

    /// Takes one packet.
    ///
    /// - Returns: whether there is one.
    private mutating func take(_ bytes: [UInt8], _ place: Int) -> Bool {
        guard bytes[place] == TransportPacket.sync else { return false }
        packets += 1
        guard !isSettled else { return true }
        let packet = TransportPacket(bytes, at: place)
        guard packet.stream != 0x1FFF, let payload = packet.payload else { return true }
        if packet.stream == 0 {
            if packet.begins { mapStreams.formUnion(TransportTable.programs(bytes, payload)) }
        } else if mapStreams.contains(packet.stream) {
            if packet.begins { readMap(bytes, payload) }
        } else if packet.stream > 0x1F {
            takeMedia(bytes, payload, of: packet)
        }
        return true
    }

    private mutating func readMap(_ bytes: [UInt8], _ payload: Range<Int>) {
        guard let map = TransportTable.map(bytes, payload) else { return }
        hasTables = true
        switch map {
        case .whole(let streams): listed.formUnion(streams.keys)
        case .part: hasLongTables = true
        case .broken: break
        }
    }

    private mutating func takeMedia(_ bytes: [UInt8], _ payload: Range<Int>, of packet: TransportPacket) {
        hasPayload = true
        if packet.isScrambled { isScrambled = true }
        let start = payload.lowerBound
        let isListed = listed.isEmpty || hasLongTables || listed.contains(packet.stream)
        guard isListed, packet.begins, payload.count >= 4 else { return }
        if bytes[start] == 0, bytes[start + 1] == 0, bytes[start + 2] == 1 { hasStart = true }
    }

    private func verdict(of count: Int, _ role: MediaExpectation.Role) -> MediaVerdict? {
        guard packets > 0 else { return nil }
        // A truncated packet, or a few damaged ones, do not stop a player.
        if lost > max(2 * stride, count / 20) { return .undecodable(.syncLost(at: firstLoss ?? 0)) }
        // One packet that is marked as scrambled may be damaged.
        if isSettled { return .media(.transportStream) }
        // Tables alone are an initialization section.
        let isStart = role == .initialization && hasTables && !hasPayload
        return isStart ? .media(.transportStream) : .undecodable(.noPacketStart)
    }
}
