internal import HLSPlaylist
internal import SystemPackage

extension AssetStore {
    /// A part of an asset in the clear, while its license is valid. Blocks.
    ///
    /// - Parameter bytes: the part as it is stored.
    /// - Throws: `StoreError.Code.license` when the license does not allow it, `KeyProblem.missing` without the
    ///   key, `IntegrityProblem.undecryptable` when key and media don't go together.
    public func decrypt(
        _ bytes: [UInt8], _ token: AssetToken, _ rendition: String, _ name: UnitName
    ) throws(StoreError) -> [UInt8] {
        if let refusal = try keys.refusal(token) { throw StoreError(.license(refusal, token)) }
        guard let entry = try decryptionPlans.entry(token, rendition) else { return bytes }
        let part = entry.plan.part(name)
        if let part, part.method.encryptsWholeSegments {
            return try ContentCipher(try keys.use(token, part.keyID)).wholeSegment(bytes, iv: part.iv)
        }
        switch (entry.container, name) {
        case (.m4s, .initialization): return TrackEncryption.clear(initialization: bytes)
        case (.m4s, .segment):
            let section = part?.section ?? 0
            let tracks = try decryptionPlans.tracks(token, rendition, section: section)
            guard !tracks.isEmpty else { return bytes }
            let keys = keys
            var fragment = FragmentDecryption(bytes, tracks: tracks) { identifier throws(StoreError) in
                try ContentCipher(try keys.use(token, part?.keyID, identifier: identifier))
            }
            return try fragment.run()
        default:
            return try part.map { part throws(StoreError) in try samples(bytes, token, entry, part) } ?? bytes
        }
    }

    private func samples(
        _ bytes: [UInt8], _ token: AssetToken, _ entry: DecryptionPlans.Entry, _ part: DecryptionPlan.Part
    ) throws(StoreError) -> [UInt8] {
        let aes = SampleAES(cipher: try ContentCipher(try keys.use(token, part.keyID)), iv: part.iv)
        switch entry.container {
        case .ts:
            var stream = TransportStreamDecryption(bytes, aes)
            return try stream.run()
        case .aac: return try aes.packedAudio(bytes, .adts)
        case .ac3: return try aes.packedAudio(bytes, .ac3)
        case .ec3: return try aes.packedAudio(bytes, .eac3)
        default: return bytes
        }
    }

    /// The bytes of a stored file, up to the largest segment there is.
    public func content(of file: StoredFile) throws(StoreError) -> [UInt8] {
        guard let bytes = try DurableWrite.read(file.path, limit: Int(Origin.segmentLimit)) else {
            throw .system(.open, file.path, .noSuchFileOrDirectory)
        }
        return bytes
    }
}

extension ArrivingFile {
    /// All bytes, once they have arrived; `nil` when they will not.
    public func whole() async throws(StoreError) -> [UInt8]? {
        let beyond = UInt64(Int64.max / 2)
        while case .wait = try read(at: beyond, count: 1) {
            await withCheckedContinuation { continuation in
                whenGrown(beyond: beyond) { continuation.resume() }
            }
        }
        var bytes: [UInt8] = []
        while true {
            switch try read(at: UInt64(bytes.count), count: 1 << 20) {
            case .bytes(let more): bytes += more
            case .end: return bytes
            case .failed: return nil
            case .wait: await Task.yield()
            }
        }
    }
}
