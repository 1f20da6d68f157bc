/// Checks one segment or initialization section: can a player decode this?
///
/// The check reads the structure of the container, not pictures and sounds: the synchronization of a transport stream
/// and the starts of its packets, the boxes of MP4 and whether samples are within the media data, the frames of
/// packed audio, the signature of WebVTT. It is pure: the same bytes always give the same verdict.
///
/// ```swift
/// let look = MediaLook(expecting: MediaExpectation(.segment))
/// guard case .media(let format) = look.judge(ArrayBytes(bytes)) else { return }
/// ```
public struct MediaLook: Sendable {
    private let expectation: MediaExpectation
    static let headLength = 512

    /// A look that expects a unit of some kind.
    public init(expecting expectation: MediaExpectation) { self.expectation = expectation }

    /// Judges the bytes.
    ///
    /// - Throws: the error of a read; never for bytes in memory.
    public func judge<Source: MediaBytes>(_ source: Source) throws(Source.Failure) -> MediaVerdict {
        guard source.count > 0 else { return .undecodable(.empty) }
        let head = try source.read(at: 0, count: Self.headLength)
        if let verdict = Self.picture(head, expectation.role) { return verdict }
        if TextLook.hasSignature(head) { return .media(.webVTT) }
        if TransportLook.mayBegin(head) {
            if let verdict = try TransportLook.judge(source, expectation.role) { return fitting(verdict) }
        }
        if BoxLook.mayBegin(head) { return try BoxLook(expectation).judge(source) }
        if let verdict = try AudioLook.judge(source) { return fitting(verdict) }
        return fitting(try unknown(source, head))
    }

    /// Refuses media that are no MP4 where an initialization section of MP4 goes before them.
    private func fitting(_ verdict: MediaVerdict) -> MediaVerdict {
        guard case .media(let format) = verdict, case .movie(_, isOld: false) = expectation.start else {
            return verdict
        }
        return .undecodable(.otherContainer(format))
    }

    private func unknown<Source: MediaBytes>(
        _ source: Source, _ head: [UInt8]
    ) throws(Source.Failure) -> MediaVerdict {
        let foreign = ForeignFormat(head: head)
        // Only two bytes identify zlib, so they may be there by chance.
        if let foreign, foreign != .zlib { return .foreign(foreign) }
        if try Self.isZero(source, head) { return .undecodable(.zeros) }
        // A stream that was cut anywhere continues inside a packet or a frame.
        if try TransportLook.goesOn(in: source, head) { return .media(.transportStream) }
        if let format = try AudioLook.findFrames(in: source) { return .media(format) }
        return foreign.map { .foreign($0) } ?? .unrecognized
    }

    private static func picture(_ head: [UInt8], _ role: MediaExpectation.Role) -> MediaVerdict? {
        guard role == .picture else { return nil }
        switch ForeignFormat(head: head) {
        case .jpeg, .png, .webp: return .media(.picture)
        default: return nil
        }
    }

    private static func isZero<Source: MediaBytes>(
        _ source: Source, _ head: [UInt8]
    ) throws(Source.Failure) -> Bool {
        guard head.allSatisfy({ $0 == 0 }) else { return false }
        // The rest is looked at in samples: a file that begins with 512 zeros is no media of HLS anyway.
        let last = try source.read(at: max(0, source.count - headLength), count: headLength)
        return last.allSatisfy { $0 == 0 }
    }
}
