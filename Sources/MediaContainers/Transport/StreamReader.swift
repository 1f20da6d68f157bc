/// Reads the packets of one stream into its elementary stream.
struct StreamReader: Sendable {
    /// The data that the stream needs of earlier segments.
    enum Memory: Sendable {
        case pictures(PictureMemory)
        case sound(SoundMemory)
        case metadata
    }

    let entry: ProgramMap.Entry
    var memory: Memory
    private(set) var elementary = ElementaryStream()
    private var counter: UInt8?
    /// The offset of the last packet in the segment.
    private var lastPacket: Int?
    /// The beginning of a PES header that continues in the next packet.
    private var header: [UInt8]?
    private var headerIsRandomAccess = false
    /// Whether bytes belong to a PES packet whose beginning was read.
    private var isStarted = false
    /// Whether the segment began with bytes of a PES packet whose beginning was not read.
    private(set) var isLackingBeginning = false
    private var packets = 0
    private var scrambled = 0

    init(_ entry: ProgramMap.Entry, _ memory: Memory) { (self.entry, self.memory) = (entry, memory) }

    /// Whether most packets are encrypted.
    var isScrambled: Bool { scrambled > 2 && scrambled > packets / 2 }

    var isPictures: Bool {
        if case .pictures = memory { true } else { false }
    }

    mutating func reserve(_ count: Int) { elementary.data.reserveCapacity(count) }

    /// Takes a packet.
    mutating func take(
        _ packet: TransportPacket, payload: Range<Int>, at place: Int, in bytes: [UInt8],
        clock: inout StampClock
    ) {
        packets += 1
        guard !packet.isScrambled, bytes[place + 1] & 0x80 == 0 else {
            if packet.isScrambled { scrambled += 1 }
            return
        }
        guard !isRepeated(place, bytes) else { return }
        if packet.begins {
            header = []
            headerIsRandomAccess = TransportPacket.isRandomAccess(bytes, place)
            isStarted = false
        }
        if header != nil {
            takeHeader(bytes[payload], &clock)
        } else if isStarted {
            elementary.data.append(contentsOf: bytes[payload])
        } else if elementary.marks.isEmpty {
            isLackingBeginning = true
        }
    }

    /// Follows the continuity counter.
    ///
    /// - Returns: whether the packet is the last one again.
    private mutating func isRepeated(_ place: Int, _ bytes: [UInt8]) -> Bool {
        let next = bytes[place + 3] & 0xF
        defer { (counter, lastPacket) = (next, place) }
        guard let counter, next != (counter + 1) & 0xF else { return false }
        if next == counter, let lastPacket,
            bytes[place + 12..<place + 188].elementsEqual(bytes[lastPacket + 12..<lastPacket + 188])
        {
            return true
        }
        if isStarted || header != nil, !TransportPacket.isDiscontinuous(bytes, place) { lose() }
        return false
    }

    private mutating func lose() {
        if header?.isEmpty == false { (header, isStarted) = (nil, false) }
        if elementary.breaks.last != elementary.data.count { elementary.breaks.append(elementary.data.count) }
    }

    private mutating func takeHeader(_ payload: ArraySlice<UInt8>, _ clock: inout StampClock) {
        let isWhole = header?.isEmpty ?? true
        let known = isWhole ? payload : ((header ?? []) + payload)[...]
        switch PESHeader.read(known) {
        case .part where known.count < 9 + 255 + TransportPacket.size: header = Array(known)
        case .part, .broken: header = nil
        case .whole(let head):
            (header, isStarted) = (nil, true)
            mark(head, &clock)
            elementary.data.append(contentsOf: known.dropFirst(head.length))
        }
    }

    private mutating func mark(_ head: PESHeader, _ clock: inout StampClock) {
        guard let presentation = head.presentation else { return }
        let decoding = clock.unwrap(head.decoding ?? presentation)
        elementary.marks.append(
            ElementaryStream.Mark(
                offset: elementary.data.count,
                presentation: StampClock.nearest(presentation, to: decoding),
                decoding: head.decoding == nil ? nil : decoding, isRandomAccess: headerIsRandomAccess))
    }

    /// Ends the segment: the read bytes are removed, and the beginning of the next segment's unit stays.
    mutating func finish(keeping rest: ElementaryStream?, mayGoOn: Bool) {
        elementary = rest ?? ElementaryStream()
        (lastPacket, packets, scrambled, isLackingBeginning) = (nil, 0, 0, false)
        if !mayGoOn { (isStarted, header) = (false, nil) }
    }

    /// The elementary stream; places where bytes are lacking count only where counters are right as a rule.
    func whole() -> ElementaryStream {
        var stream = elementary
        if stream.breaks.count > max(4, packets / 8) { stream.breaks = [] }
        return stream
    }
}
