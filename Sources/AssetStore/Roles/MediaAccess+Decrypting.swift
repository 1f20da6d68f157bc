internal import HLSPlaylist
internal import Logging

extension MediaAccess {
    /// A stored unit of an asset in the clear, while its license is valid; `nil` if it is not encrypted. Blocks.
    ///
    /// - Parameter counts: whether this counts as a play.
    /// - Throws: `StoreError.Code.license` if the license does not permit it, `KeyProblem.missing` without the key,
    ///   `IntegrityProblem.undecryptable` if the key does not fit the media.
    package func clear(
        _ file: StoredFile, of token: AssetToken, rendition: String, named name: UnitName, counts: Bool
    ) throws(StoreError) -> ClearMedia? {
        try clear(token, rendition, name: name, counts: counts) { () throws(StoreError) in
            try OpenedFile(file.path)
        }
    }

    /// The clear content of a unit that is arriving. Its initialization section must be stored.
    package func clear(
        _ file: ArrivingFile, of token: AssetToken, rendition: String, named name: UnitName, counts: Bool
    ) throws(StoreError) -> ClearMedia? {
        try clear(token, rendition, name: name, counts: counts) { file }
    }

    private func clear(
        _ token: AssetToken, _ rendition: String, name: UnitName, counts: Bool,
        open: () throws(StoreError) -> any EncryptedSource
    ) throws(StoreError) -> ClearMedia? {
        if let refusal = try keys.refusal(token) { throw StoreError(.license(refusal, token)) }
        guard let entry = try plans.entry(token, rendition, knowing: name) else { return nil }
        let report: @Sendable (StoreError) -> Void = { self.report($0, of: token) }
        do throws(StoreError) {
            let decrypting = Decrypting(
                keys: keys, plans: plans, token: token, rendition: rendition, entry: entry, counts: counts)
            guard let (reader, source) = try decrypting.reader(of: name, open) else { return nil }
            var length = source.count
            if let whole = reader as? WholeSegmentReader { length = whole.length }
            if let ready = reader as? ReadyBytes { length = ready.bytes.count }
            return ClearMedia(reader, of: source, length: length, onFailure: report)
        } catch {
            report(error)
            throw error
        }
    }

    /// The reason why an asset may not be given as files in the clear now; `nil` when it may. If the license ends
    /// during playback, an asset whose media need no key is played to its end. An asset whose media need a key is
    /// decrypted only while its license is valid.
    package func refusalOfFiles(_ token: AssetToken) throws(StoreError) -> LicenseRefusal? {
        guard let refusal = try keys.refusal(token) else { return nil }
        return try reader.takesKeys(token) ? refusal : keys.refusalWhenIdle(token)
    }

    /// Logs that a part of an asset can't be decrypted, and records it as an event. It does so once for each asset.
    private func report(_ error: StoreError, of token: AssetToken) {
        guard case .integrity = error.code, plans.isFirstFailure(of: token) else { return }
        log.warning(
            "a part can't be decrypted", metadata: ["token": "\(token)", "error": "\(error.message)"])
        let now = context.clock.now
        Task(executorPreference: WorkThreads.housekeeping) { [catalog] in
            try? catalog.events.record(.changed, token, at: now, failure: AssetFailure(error, at: now))
        }
    }

    /// The initialization section that is needed to decrypt a segment; `nil` if it needs none, or the section has
    /// been read.
    package func initializationSection(
        neededBy name: UnitName, _ token: AssetToken, _ rendition: String
    ) throws(StoreError) -> UnitName? {
        guard let entry = try plans.entry(token, rendition), case .segment(let number) = name,
            entry.container == .m4s || entry.container == .ts && entry.plan.part(name) != nil,
            entry.plan.part(name)?.method.encryptsWholeSegments != true
        else { return nil }
        let section = entry.plan.section(ofSegment: number)
        return section.flatMap { entry.knows(section: $0) ? nil : .initialization($0) }
    }

    /// Looks at an initialization section that has just arrived whole, and may not be stored yet.
    package func learn(
        _ file: ArrivingFile, of token: AssetToken, rendition: String, named name: UnitName
    ) throws(StoreError) {
        guard case .initialization(let number) = name else { return }
        let bytes = try file.gather(at: 0, count: Decrypting.largestSection).bytes
        try plans.learn(bytes, of: token, rendition: rendition, section: number)
    }
}

/// Finds out how the parts of a rendition are decrypted.
private struct Decrypting {
    let keys: KeyDesk
    let plans: DecryptionPlans
    let token: AssetToken
    let rendition: String
    let entry: DecryptionPlans.Entry
    let counts: Bool
    /// Bytes that an initialization section may have.
    static let largestSection = 16 << 20

    /// - Returns: `nil` for media without encryption.
    func reader(
        of name: UnitName, _ open: () throws(StoreError) -> any EncryptedSource
    ) throws(StoreError) -> (any ClearReader, any EncryptedSource)? {
        let part = entry.plan.part(name)
        if let part, part.method.encryptsWholeSegments {
            guard part.method.chainsBlocks else {
                throw StoreError(.integrity(.scheme(part.method.verbatim)))
            }
            let source = try open()
            return (try WholeSegmentReader(try cipher(part), iv: part.iv, of: source), source)
        }
        switch (entry.container, name) {
        case (.m4s, .initialization): return try initialization(try open())
        case (.ts, .initialization(let number)) where part == nil && entry.plan.sectionKeys[number] != nil:
            return try tables(try open())
        case (.m4s, .segment(let number)):
            return try fragments(number, part).map { reader throws(StoreError) in (reader, try open()) }
        default:
            guard let part, let reader = try samples(part, name) else { return nil }
            return (reader, try open())
        }
    }

    private func cipher(_ part: DecryptionPlan.Part) throws(StoreError) -> ContentCipher {
        try ContentCipher(try keys.use(token, part.keyID, counts: counts))
    }

    private func initialization(
        _ source: any EncryptedSource
    ) throws(StoreError) -> (any ClearReader, any EncryptedSource)? {
        let gathered = try source.gather(at: 0, count: Self.largestSection)
        guard gathered.state == .end else { throw StoreError(.integrity(.undecryptable)) }
        // Samples that can't be decrypted must not be served as if they were clear.
        _ = try TrackEncryption.tracks(ofInitialization: gathered.bytes)
        return (ReadyBytes(bytes: TrackEncryption.clear(initialization: gathered.bytes)), source)
    }

    /// Changes the stream types in a transport stream's tables to those of clear media. The tables name encrypted
    /// types even before the first key.
    private func tables(
        _ source: any EncryptedSource
    ) throws(StoreError) -> (any ClearReader, any EncryptedSource)? {
        let gathered = try source.gather(at: 0, count: Self.largestSection)
        guard gathered.state == .end else { throw StoreError(.integrity(.undecryptable)) }
        return (ReadyBytes(bytes: TransportTables.clear(section: gathered.bytes)), source)
    }

    /// The tables that a segment of a transport stream has in its initialization section, if it has one.
    private func tables(of name: UnitName) throws(StoreError) -> TransportTables {
        guard case .segment(let number) = name, let section = entry.plan.section(ofSegment: number) else {
            return TransportTables()
        }
        return try plans.tables(token, rendition, section: section)
    }

    /// The reader of a segment of fragmented MP4; `nil` if it is in the clear. If the playlist names keys for some
    /// segments, the others are in the clear.
    private func fragments(_ number: Int, _ part: DecryptionPlan.Part?) throws(StoreError) -> FragmentReader?
    {
        if part == nil, entry.plan.hasKeys { return nil }
        let section = entry.plan.section(ofSegment: number) ?? 0
        let tracks = try plans.tracks(token, rendition, section: section)
        guard !tracks.isEmpty else { return nil }
        let (keys, token, counts) = (keys, token, counts)
        var reader = FragmentReader(tracks: tracks) { identifier throws(StoreError) in
            try ContentCipher(
                try keys.use(token, part?.keyID, identifier: identifier, counts: counts))
        }
        try reader.prepare()
        return reader
    }

    private func samples(
        _ part: DecryptionPlan.Part, _ name: UnitName
    ) throws(StoreError) -> (any ClearReader)? {
        guard part.method == .sampleAES else { throw StoreError(.integrity(.scheme(part.method.verbatim))) }
        return switch entry.container {
        case .ts: StreamReader(TransportStreamDecryption(try aes(part), try tables(of: name)))
        case .aac: StreamReader(PackedAudioDecryption(try aes(part), .adts))
        case .ac3: StreamReader(PackedAudioDecryption(try aes(part), .ac3))
        case .ec3: StreamReader(PackedAudioDecryption(try aes(part), .eac3))
        case .mp4, .m4s: throw StoreError(.integrity(.undecryptable))
        case .mp3, .vtt, .jpg, .png, .webp: nil
        }
    }

    private func aes(_ part: DecryptionPlan.Part) throws(StoreError) -> SampleAES {
        SampleAES(cipher: try cipher(part), iv: part.iv)
    }
}
