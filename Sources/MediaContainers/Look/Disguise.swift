/// A wrapping that hides media from players: a picture, a page or a tag before it.
public struct Disguise: Sendable, Equatable {
    /// The kind of bytes before the media; `nil` for an ID3 tag and for unknown bytes.
    public var format: ForeignFormat?
    /// The offset of the media, in bytes.
    public var length: Int

    /// A wrapping of so many bytes.
    public init(format: ForeignFormat?, length: Int) {
        (self.format, self.length) = (format, length)
    }

    /// Bytes that are searched for the beginning of media.
    static let searchLength = 4 << 20
    /// Transport packets in a row that tell a beginning from chance.
    private static let packets = 5

    /// Finds media behind other bytes.
    ///
    /// - Returns: `nil` if nothing decodable is found in the first 4 MiB.
    public static func find<Source: MediaBytes>(
        in source: Source, expecting expectation: MediaExpectation
    ) throws(Source.Failure) -> Disguise? {
        let head = try source.read(at: 0, count: searchLength)
        guard !isMedia(head) else { return nil }
        for start in candidates(head, of: source.count) {
            let verdict = try MediaLook(expecting: expectation).judge(TailBytes(source: source, start: start))
            guard case .media = verdict else { continue }
            return Disguise(format: format(head, before: start), length: start)
        }
        return nil
    }

    /// Whether bytes begin with media: then a fault comes later, and nothing may be removed.
    private static func isMedia(_ head: [UInt8]) -> Bool {
        let isInStep =
            head.count > TransportPacket.size && head[TransportPacket.size] == TransportPacket.sync
        return head.first == TransportPacket.sync && isInStep || BoxLook.mayBegin(Array(head.prefix(8)))
    }

    /// Offsets at which media may begin: first those of a transport stream, then those of a box, then that of packed
    /// audio.
    private static func candidates(_ head: [UInt8], of count: Int) -> [Int] {
        var found: [Int] = []
        if let start = transportStart(head, of: count) { found.append(start) }
        found += boxStarts(head).prefix(4)
        // Frames of audio may also go on behind damage.
        if let start = AudioLook.start(in: head), let format = format(head, before: start),
            !format.isMedia, format != .zlib
        {
            found.append(start)
        }
        return found
    }

    private static func format(_ head: [UInt8], before start: Int) -> ForeignFormat? {
        ForeignFormat(head: Array(head.prefix(min(start, MediaLook.headLength))))
    }

    private static func transportStart(_ head: [UInt8], of count: Int) -> Int? {
        var place = 1
        while place + TransportPacket.size <= count, place < head.count {
            guard let next = head[place...].firstIndex(of: TransportPacket.sync) else { return nil }
            if isInStep(head, next, of: count) { return next }
            place = next + 1
        }
        return nil
    }

    private static func isInStep(_ head: [UInt8], _ start: Int, of count: Int) -> Bool {
        for packet in 1..<packets {
            let place = start + packet * TransportPacket.size
            // The end of the media, or of the searched bytes.
            if place >= head.count { return place >= count ? (count - start).isMultiple(of: 188) : false }
            guard head[place] == TransportPacket.sync else { return false }
        }
        return true
    }

    private static let boxes = ["ftyp", "styp", "moof", "sidx", "emsg"].map { Array($0.utf8) }

    private static func boxStarts(_ head: [UInt8]) -> [Int] {
        guard head.count > 8 else { return [] }
        var starts: [Int] = []
        for place in 5..<head.count - 4 where head[place] >= 0x65 && head[place] <= 0x73 {
            guard boxes.contains(where: { head[place..<place + 4].elementsEqual($0) }) else { continue }
            starts.append(place - 4)
            if starts.count == 8 { break }
        }
        return starts
    }
}
