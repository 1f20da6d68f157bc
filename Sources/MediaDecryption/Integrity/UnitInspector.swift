package import MediaContainers

/// Checks the bytes of one unit: are they media that may be stored and served?
///
/// A unit that is encrypted as a whole is decrypted for the check. Without its key, only its length is checked.
package struct UnitInspector: Sendable {
    /// The verdict about a unit's bytes.
    package enum Verdict: Sendable {
        /// They are media, or of an unknown kind.
        case sound(UnitFinding)
        /// They may lack their end. If the origin sends the same bytes twice, it has no others.
        case doubtful(IntegrityProblem, UnitFinding)
        /// They are not media.
        case bad(IntegrityProblem)
    }

    package let expectation: MediaExpectation
    package let encryption: UnitEncryption
    /// Whether the playlist, the URL or other units promise a known kind of media.
    package var isPromised: Bool
    /// The identifier of its rendition.
    package let rendition: Int64
    /// The key and vector of a unit that is encrypted as a whole; `nil` if they are missing.
    package var cipher: WholeSegmentCipher?
    /// Gives the outline of the initialization section before the unit, if it is stored.
    package var start: @Sendable () throws(StoreError) -> MediaExpectation.Start = { .unknown }
    /// Compares a transport stream with its neighbors, and returns the difference; `nil` without one.
    package var compare: @Sendable (TransportOutline) -> UnitFinding? = { _ in nil }
    /// Receives the outline that this unit gives for the segments after it.
    package var noteOutline: @Sendable (MediaExpectation.Start) -> Void = { _ in }

    package init(_ job: UnitJob, cipher: WholeSegmentCipher? = nil) {
        rendition = job.rendition.id
        expectation = job.expectation
        encryption = job.unit.encryption
        isPromised = job.isPromised
        self.cipher = cipher
    }

    /// Judges all bytes of a unit.
    ///
    /// - Throws: the error when the bytes can't be read.
    package func verdict<Source: MediaBytes>(of source: Source) throws(StoreError) -> Verdict
    where Source.Failure == StoreError {
        guard source.count > 0 else { return .bad(.undecodable(.empty)) }
        guard encryption != .none else { return try judge(source) }
        if let problem = try problem(ofCiphertext: source) { return .bad(problem) }
        return encryption == .blocks ? try judge(ciphertext: source) : .sound(.sealed)
    }

    private func judge<Source: MediaBytes>(_ source: Source) throws(StoreError) -> Verdict
    where Source.Failure == StoreError {
        let verdict = try look(at: source)
        guard verdict == .media(.transportStream) else { return judge(verdict) }
        let compared = try compared(source)
        if case .sound = compared, !Self.packets.contains(where: source.count.isMultiple) {
            return .doubtful(.cutOff, .transportStream)
        }
        return compared
    }

    /// Compares a transport stream with those around it.
    private func compared<Source: MediaBytes>(_ source: Source) throws(StoreError) -> Verdict
    where Source.Failure == StoreError {
        guard expectation.role == .segment, let outline = try TransportOutline.read(source) else {
            return .sound(.transportStream)
        }
        switch compare(outline) {
        case .otherPictures?: return .doubtful(.otherPictures, .otherPictures)
        case .short?: return .doubtful(.short, .short)
        default: return .sound(.transportStream)
        }
    }

    /// Checks clear bytes against the initialization section before them, and notes facts for the segments after
    /// them.
    private func look<Source: MediaBytes>(at source: Source) throws(StoreError) -> MediaVerdict
    where Source.Failure == StoreError {
        var expectation = expectation
        expectation.start = try start()
        let verdict = try MediaLook(expecting: expectation).judge(source)
        let isStart = expectation.role == .initialization || expectation.start == .nothing
        if isStart, let start = try Self.outline(source, verdict) { noteOutline(start) }
        return verdict
    }

    /// The facts that a unit gives for the check of the segments after it; `nil` if it gives none, or its key is
    /// missing.
    package func outline<Source: MediaBytes>(
        of source: Source
    ) throws(StoreError) -> MediaExpectation.Start? where Source.Failure == StoreError {
        guard encryption == .blocks else { return try Self.outline(source, outlineVerdict(of: source)) }
        guard let cipher, source.count >= ContentCipher.blockSize else { return nil }
        let clear = try ClearBytes(source, cipher)
        return try Self.outline(clear, outlineVerdict(of: clear))
    }

    private func outlineVerdict<Source: MediaBytes>(of source: Source) throws(StoreError) -> MediaVerdict
    where Source.Failure == StoreError { try MediaLook(expecting: expectation).judge(source) }

    private static func outline<Source: MediaBytes>(
        _ source: Source, _ verdict: MediaVerdict
    ) throws(StoreError) -> MediaExpectation.Start? where Source.Failure == StoreError {
        switch verdict {
        case .media(.transportStream): .packets
        case .media(.mp4): try MovieOutline.read(source).map { .movie($0) } ?? .unknown
        default: nil
        }
    }

    /// The lengths of transport packets: plain, with a timestamp, and with a checksum.
    private static let packets = [188, 192, 204]

    private func judge(_ verdict: MediaVerdict) -> Verdict {
        switch verdict {
        case .media(let format): .sound(UnitFinding(format))
        case .foreign(let format): judge(format)
        case .undecodable(let defect): .bad(.undecodable(defect))
        case .unrecognized: isPromised ? .bad(.unrecognized) : .sound(.unknown)
        }
    }

    private func judge(_ format: ForeignFormat) -> Verdict {
        switch format {
        case .html: .bad(.html)
        case .text where expectation.role == .subtitles: .sound(.unknown)
        case .json, .text: .bad(.text)
        // Only two bytes identify zlib, so that encrypted media may have them by chance.
        case .zlib where !isPromised: .sound(.unknown)
        case .gif, .bmp, .webp: expectation.role == .picture ? .sound(.unknown) : .bad(.foreign(format))
        default: format.isMedia ? .sound(.unknown) : .bad(.foreign(format))
        }
    }

    /// The problem if a web page, text or picture came instead of encrypted bytes; `nil` otherwise.
    private func problem<Source: MediaBytes>(
        ofCiphertext source: Source
    ) throws(StoreError) -> IntegrityProblem? where Source.Failure == StoreError {
        // Padding makes it one block at least.
        let isTooShort = encryption == .blocks && source.count < ContentCipher.blockSize
        guard isTooShort || source.count >= ContentCipher.blockSize else { return nil }
        switch ForeignFormat(head: try source.read(at: 0, count: 512)) {
        case .html: return .html
        case .json, .text, .ttml: return .text
        case .png: return .foreign(.png)
        case .gif: return .foreign(.gif)
        default: return isTooShort ? .cutOff : nil
        }
    }

    /// Judges media that are encrypted in blocks: in the clear if the key is stored, otherwise by length.
    private func judge<Source: MediaBytes>(ciphertext source: Source) throws(StoreError) -> Verdict
    where Source.Failure == StoreError {
        let isWhole = source.count.isMultiple(of: ContentCipher.blockSize)
        guard let cipher else { return isWhole ? .sound(.sealed) : .doubtful(.cutOff, .sealed) }
        let clear = try ClearBytes(source, cipher)
        let verdict = try look(at: clear)
        // With a wrong key, the result has no valid padding and resembles no format.
        if !clear.isPadded, verdict == .unrecognized || verdict == .foreign(.zlib) {
            return .bad(.undecryptable)
        }
        if case .sound(let finding) = judge(verdict), !isWhole { return .doubtful(.cutOff, finding) }
        return verdict == .media(.transportStream) ? try compared(clear) : judge(verdict)
    }
}

extension UnitJob {
    /// The role of the unit, for a look at its bytes.
    package var expectation: MediaExpectation {
        let role: MediaExpectation.Role =
            switch (unit.kind, rendition.kind) {
            case (.initialization, _): .initialization
            case (.segment, .subtitles): .subtitles
            case (.segment, .images): .picture
            case (.segment, _): .segment
            }
        return MediaExpectation(role, mayEndInBox: mayEndInBox)
    }

    /// Whether the playlist or the address promises a known kind of media.
    package var isPromised: Bool {
        guard unit.kind == .segment, rendition.container == .ts else { return true }
        return ContainerFormat.isNamed(by: unit.url)
    }
}

/// The bytes of an arriving file, up to its watermark.
package struct PartialBytes: MediaBytes {
    package let file: PartialFile

    package init(file: PartialFile) {
        self.file = file
    }

    package var count: Int { Int(clamping: file.watermark) }

    package func read(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        try file.read(at: UInt64(offset), count: count)
    }
}

/// The bytes of a stored file.
package struct FileBytes: MediaBytes {
    package let file: OpenedFile

    package init(file: OpenedFile) {
        self.file = file
    }

    package var count: Int { file.size }

    package func read(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        guard offset >= 0, offset < file.size else { return [] }
        return try file.bytes(at: offset, count: min(count, file.size - offset))
    }
}
