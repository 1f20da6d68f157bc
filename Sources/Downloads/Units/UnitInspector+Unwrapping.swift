internal import MediaContainers

extension UnitInspector {
    /// Whether its media may be disguised or compressed: not if a picture is expected, and not if they are encrypted.
    var mayBeDisguised: Bool { encryption == .none && expectation.role != .picture }

    /// Removes the disguise of media: a picture or a page before them, or a compression that was not announced. The
    /// file then has only the media.
    ///
    /// - Returns: `nil` if there are no media in it.
    package func unwrapped(_ file: PartialFile) throws(StoreError) -> FetchedUnit? {
        guard mayBeDisguised, file.watermark > 0 else { return nil }
        if !file.isVeiled, let fetched = try decompressed(file) { return fetched }
        let source = PartialBytes(file: file)
        if let disguise = try Disguise.find(in: source, expecting: expectation) {
            let rest = try FileRewriting(of: file.path, limit: source.count)
            try rest.copy(source, from: disguise.length)
            return try replaced(file, by: rest, disguise.format?.rawValue ?? "ID3")
        }
        return nil
    }

    /// Decompresses a file whose compression was not announced. If the bytes decode to their end, they count as
    /// compressed, even if uncompressed parts of them look like transport packets.
    ///
    /// - Returns: `nil` if there are no media in it.
    func decompressed(_ file: PartialFile) throws(StoreError) -> FetchedUnit? {
        guard mayBeDisguised, file.watermark > 0 else { return nil }
        let source = PartialBytes(file: file)
        for coding in Decompressor.Coding.candidates(try source.read(at: 0, count: 512)) {
            let limit = Int(min(Origin.segmentLimit, max(file.watermark * 100, 1 << 20)))
            let clear = try FileRewriting(of: file.path, limit: limit)
            if try clear.decode(source, coding),
                let fetched = try replaced(file, by: clear, coding.rawValue)
            {
                return fetched
            }
            clear.discard()
        }
        return nil
    }

    private func replaced(
        _ file: PartialFile, by content: FileRewriting, _ disguise: String
    ) throws(StoreError) -> FetchedUnit? {
        let finding: UnitFinding
        switch try verdict(of: content) {
        case .sound(let found) where found != .unknown: finding = found
        case .doubtful(_, let found) where found.oddity != nil: finding = found
        default:
            content.discard()
            return nil
        }
        try file.replace(with: content)
        return FetchedUnit(finding: finding, disguise: disguise)
    }
}

extension Decompressor.Coding {
    /// The codings that bytes with such a beginning may have: Brotli and raw deflate have no signature.
    fileprivate static func candidates(_ head: [UInt8]) -> [Decompressor.Coding] {
        switch ForeignFormat(head: head) {
        case .gzip: [.gzip]
        case .zlib: [.gzip, .brotli, .deflate]
        case nil: [.brotli, .deflate]
        default: []
        }
    }
}

extension FileRewriting {
    fileprivate static var pieceSize: Int { 256 << 10 }

    /// Copies the rest of other bytes.
    fileprivate func copy(_ source: PartialBytes, from start: Int) throws(StoreError) {
        var offset = start
        while offset < source.count {
            let piece = try source.read(at: offset, count: Self.pieceSize)
            try append(piece)
            offset += piece.count
        }
    }

    /// Decodes other bytes.
    ///
    /// - Returns: whether they are of that coding, from the first to the last, and do not grow beyond the limit.
    fileprivate func decode(_ source: PartialBytes, _ coding: Decompressor.Coding) throws(StoreError) -> Bool
    {
        guard let decoder = Decompressor(coding) else { return false }
        var offset = 0
        while offset < source.count, !decoder.isEnded {
            let piece = try source.read(at: offset, count: Self.pieceSize)
            var isTooLarge = false
            let isSound = try decoder.decode(piece) { bytes throws(StoreError) in
                isTooLarge = isTooLarge || count + bytes.count > limit
                if !isTooLarge { try append(bytes) }
            }
            guard isSound, !isTooLarge else { return false }
            offset += piece.count
        }
        return decoder.isEnded && count > 0
    }
}
