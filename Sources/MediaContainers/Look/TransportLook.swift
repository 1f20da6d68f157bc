/// A look at an MPEG-2 transport stream (ISO/IEC 13818-1): is it in step, and does a stream begin in it?
struct TransportLook {
    /// Bytes from one packet to the next: 188, or 192 and 204 with a time stamp or a checksum beside each packet.
    private let stride: Int
    private var packets = 0
    private var lost = 0
    private var firstLoss: Int?
    private var mapStreams: Set<Int> = []
    /// The streams of pictures, sound and data that maps list; empty while nothing lists all of them.
    private var listed: Set<Int> = []
    private var hasTables = false
    private var hasLongTables = false
    private var hasPayload = false
    private var hasStart = false
    private var isScrambled = false

    static let packetSize = 188
    static let sync: UInt8 = 0x47
    private static let strides = [188, 192, 204]

    private init(stride: Int) { self.stride = stride }

    /// Whether bytes may be packets; the first byte decides for packets of 188 bytes.
    static func mayBegin(_ head: [UInt8]) -> Bool { head.first == sync || head.count > 4 && head[4] == sync }

    /// Judges bytes that may be a transport stream; `nil` when they are none.
    static func judge<Source: MediaBytes>(
        _ source: Source, _ role: MediaExpectation.Role
    ) throws(Source.Failure) -> MediaVerdict? {
        var window = ByteWindow(source)
        guard let (start, stride) = try place(of: &window) else { return nil }
        var look = TransportLook(stride: stride)
        try look.scan(&window, from: start)
        return look.verdict(of: source.count, role)
    }

    /// Whether bytes begin inside a packet of 188 bytes, and go on with whole ones. What stands before those is no
    /// picture, page or tag.
    static func goesOn<Source: MediaBytes>(in source: Source, _ head: [UInt8]) throws(Source.Failure) -> Bool
    {
        var window = ByteWindow(source)
        for start in 1..<packetSize where try isStep(&window, start, packetSize) {
            let rest = Array(head.prefix(start))
            let isWrapping = start >= 16 && ForeignFormat(head: rest) != nil || rest.starts(with: "ID3".utf8)
            guard !isWrapping else { return false }
            var look = TransportLook(stride: packetSize)
            try look.scan(&window, from: start)
            return look.verdict(of: source.count - start, .segment) == .media(.transportStream)
        }
        return false
    }

    /// Where the first packet lies, and how far it is to the next one.
    static func place<Source: MediaBytes>(
        of window: inout ByteWindow<Source>
    ) throws(Source.Failure) -> (start: Int, stride: Int)? {
        for stride in strides {
            let start = stride == 192 ? 4 : 0
            guard try window.number(at: start, 1) == UInt64(sync) else { continue }
            let next = try (1...4).map { step throws(Source.Failure) in
                try window.number(at: start + step * stride, 1)
            }.compactMap(\.self)
            let found = next.count { $0 == UInt64(sync) }
            // One packet alone is a transport stream, too, and some may be broken.
            if found >= max(1, next.count / 2) || next.isEmpty && window.source.count >= packetSize {
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
        while offset + Self.packetSize <= window.source.count {
            if look.isSettled, !hasSamples {
                hasSamples = true
                if try look.isInStep(window.source, from: offset) { break }
            }
            let isInStep = try window.with(offset, Self.packetSize) { bytes, place in
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

    /// Whether only the step matters from here on.
    private var isSettled: Bool { hasStart || isScrambled && (hasTables || packets > 2) }

    private static let samples = 32
    private static let packetsOfSample = 4

    /// Whether samples of what is left are in step. They meet each loss that matters, which is longer than one and a
    /// half of their distances; reading all of a large segment would cost half of what hashing it does.
    private func isInStep<Source: MediaBytes>(
        _ source: Source, from start: Int
    ) throws(Source.Failure) -> Bool {
        let left = (source.count - start) / stride
        guard left > 8 * Self.samples * Self.packetsOfSample else { return false }
        for sample in 0...Self.samples {
            let packet = min(left * sample / Self.samples, left - Self.packetsOfSample)
            let bytes = try source.read(at: start + packet * stride, count: Self.packetsOfSample * stride)
            for place in Swift.stride(from: 0, to: bytes.count, by: stride) where bytes[place] != Self.sync {
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
        while place + packetSize <= window.source.count {
            let skipped = try window.with(place, packetSize) { bytes, start in
                bytes[start..<start + packetSize].firstIndex(of: sync).map { $0 - start }
            }
            guard let skipped = skipped ?? nil else {
                place += packetSize
                continue
            }
            place += skipped
            if try isStep(&window, place, stride) { return place }
            place += 1
        }
        return nil
    }

    private static func isStep<Source: MediaBytes>(
        _ window: inout ByteWindow<Source>, _ place: Int, _ stride: Int
    ) throws(Source.Failure) -> Bool {
        guard place + packetSize <= window.source.count else { return false }
        for step in 0..<3 {
            guard let byte = try window.number(at: place + step * stride, 1) else { return step > 0 }
            guard byte == UInt64(sync) else { return false }
        }
        return true
    }

    /// Takes one packet.
    ///
    /// - Returns: whether there is one.
    private mutating func take(_ bytes: [UInt8], _ place: Int) -> Bool {
        guard bytes[place] == Self.sync else { return false }
        packets += 1
        let (second, control) = (bytes[place + 1], bytes[place + 3])
        if isSettled || control & 0x10 == 0 { return true }
        let stream = Int(second & 0x1F) << 8 | Int(bytes[place + 2])
        guard stream != 0x1FFF else { return true }
        let first = place + 4 + (control & 0x20 == 0 ? 0 : 1 + Int(bytes[place + 4]))
        guard first < place + Self.packetSize else { return true }
        readPayload(bytes, first..<place + Self.packetSize, of: stream, begins: second & 0x40 != 0, control)
        return true
    }

    private mutating func readPayload(
        _ bytes: [UInt8], _ payload: Range<Int>, of stream: Int, begins: Bool, _ control: UInt8
    ) {
        if stream == 0 {
            if begins { readAssociation(bytes, payload) }
        } else if mapStreams.contains(stream) {
            if begins { readMap(bytes, payload) }
        } else if stream > 0x1F {
            hasPayload = true
            if control & 0xC0 != 0 { isScrambled = true }
            let start = payload.lowerBound
            let isListed = listed.isEmpty || hasLongTables || listed.contains(stream)
            guard isListed, begins, payload.count >= 4 else { return }
            if bytes[start] == 0, bytes[start + 1] == 0, bytes[start + 2] == 1 { hasStart = true }
        }
    }

    private static func isSection(_ bytes: [UInt8], _ payload: Range<Int>, table: UInt8) -> Bool {
        let start = payload.lowerBound + 1 + Int(bytes[payload.lowerBound])
        return start + 3 <= payload.upperBound && bytes[start] == table && bytes[start + 1] & 0x80 != 0
    }

    /// Reads the program association table (section 2.4.4.4).
    private mutating func readAssociation(_ bytes: [UInt8], _ payload: Range<Int>) {
        guard Self.isSection(bytes, payload, table: 0) else { return }
        let start = payload.lowerBound + 1 + Int(bytes[payload.lowerBound])
        let length = Int(bytes[start + 1] & 0x0F) << 8 | Int(bytes[start + 2])
        var entry = start + 8
        while entry + 4 <= min(start + 3 + length - 4, payload.upperBound) {
            let isNetwork = bytes[entry] == 0 && bytes[entry + 1] == 0
            if !isNetwork { mapStreams.insert(Int(bytes[entry + 2] & 0x1F) << 8 | Int(bytes[entry + 3])) }
            entry += 4
        }
    }

    /// Reads a program map table (section 2.4.4.9).
    private mutating func readMap(_ bytes: [UInt8], _ payload: Range<Int>) {
        guard Self.isSection(bytes, payload, table: 2) else { return }
        hasTables = true
        let start = payload.lowerBound + 1 + Int(bytes[payload.lowerBound])
        func length(at place: Int) -> Int { Int(bytes[place] & 0x0F) << 8 | Int(bytes[place + 1]) }
        let end = start + 3 + length(at: start + 1) - 4
        // What goes on in another packet is not read.
        guard end <= payload.upperBound, start + 12 <= end else {
            hasLongTables = hasLongTables || end > payload.upperBound
            return
        }
        var entry = start + 12 + length(at: start + 10)
        while entry + 5 <= end {
            listed.insert(Int(bytes[entry + 1] & 0x1F) << 8 | Int(bytes[entry + 2]))
            entry += 5 + length(at: entry + 3)
        }
    }

    private func verdict(of count: Int, _ role: MediaExpectation.Role) -> MediaVerdict? {
        guard packets > 0 else { return nil }
        // A cut in the middle of a packet, or a few broken ones, are nothing that stops a player.
        if lost > max(2 * stride, count / 20) { return .undecodable(.syncLost(at: firstLoss ?? 0)) }
        // One packet that seems to be scrambled may be chance.
        if isSettled { return .media(.transportStream) }
        // Tables alone are an initialization section.
        let isStart = role == .initialization && hasTables && !hasPayload
        return isStart ? .media(.transportStream) : .undecodable(.noPacketStart)
    }
}
