internal import HLSPlaylist

/// The format of a rendition's segments, named by the canonical extension they are served under.
package enum ContainerFormat: String, Sendable, CaseIterable {
    /// MPEG-2 transport stream.
    case ts
    /// Fragmented MP4 with an initialization section of its own.
    case m4s
    /// Self-initializing MP4.
    case mp4
    /// ADTS audio.
    case aac
    /// MPEG audio.
    case mp3
    /// Dolby AC-3.
    case ac3
    /// Dolby E-AC-3.
    case ec3
    /// WebVTT.
    case vtt
    /// JPEG.
    case jpg
    /// PNG.
    case png
    /// WebP.
    case webp

    /// The format by a URL's extension and the playlist's tags; `nil` if only the bytes can tell.
    ///
    /// - Parameters:
    ///   - pathExtension: the extension of the first segment's URL, without the dot.
    ///   - hasInitialization: whether EXT-X-MAP applies.
    ///   - kind: the kind of the rendition.
    package init?(pathExtension: String?, hasInitialization: Bool, kind: RenditionKind) {
        let known = pathExtension.flatMap { Self.byExtension[$0.lowercased()] }
        switch (known, hasInitialization) {
        case (.ts, _): self = .ts
        case (_, true): self = .m4s
        case (let format?, false): self = format
        case (nil, false) where kind == .subtitles: self = .vtt
        case (nil, false): return nil
        }
    }

    /// Whether the format agrees with the playlist: MP4 needs an initialization section, and a transport stream
    /// rarely has one (RFC 8216bis, section 3.1). If they disagree, the bytes should decide.
    package func fits(hasInitialization: Bool) -> Bool { self != (hasInitialization ? .ts : .mp4) }

    /// Whether segments of this format are converted to fragmented MP4 for players that want that.
    package var isConverted: Bool {
        switch self {
        case .ts, .aac, .mp3, .ac3, .ec3: true
        case .m4s, .mp4, .vtt, .jpg, .png, .webp: false
        }
    }

    /// Whether the extension of an address names a format.
    package static func isNamed(by url: String) -> Bool {
        URIReference(url).lastPathExtension.map { byExtension[$0.lowercased()] != nil } ?? false
    }

    private static let byExtension: [String: ContainerFormat] = [
        "ts": .ts, "m2ts": .ts, "mts": .ts, "tsv": .ts, "tsa": .ts, "m2t": .ts,
        "m4s": .mp4, "mp4": .mp4, "m4v": .mp4, "m4a": .mp4, "cmfv": .mp4, "cmfa": .mp4, "cmft": .mp4,
        "m4f": .mp4,
        "aac": .aac, "adts": .aac, "mp3": .mp3, "ac3": .ac3, "ec3": .ec3, "eac3": .ec3, "vtt": .vtt,
        "webvtt": .vtt,
    ]

    /// Recognizes a segment by its first bytes; some hundred are enough.
    package init?(sniffing bytes: [UInt8]) {
        var bytes = bytes[...]
        if let tag = Self.id3Length(bytes) { bytes = bytes.dropFirst(tag) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if Self.looksLikeTransportStream(bytes) {
            self = .ts
        } else if bytes.starts(with: Array("WEBVTT".utf8)) {
            self = .vtt
        } else if Self.boxTypes.contains(where: { bytes.dropFirst(4).starts(with: $0) }) {
            self = .mp4
        } else if let picture = Self(picture: bytes) {
            self = picture
        } else if let format = Self.audioFrame(bytes) {
            self = format
        } else {
            return nil
        }
    }

    private static let boxTypes = [
        "ftyp", "styp", "moof", "sidx", "moov", "emsg", "prft", "mdat", "free", "skip", "uuid",
    ].map { Array($0.utf8) }

    private static func looksLikeTransportStream(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == 0x47 else { return false }
        let second = bytes.startIndex + 188
        return second >= bytes.endIndex || bytes[second] == 0x47
    }

    /// Recognizes a picture that browsers show.
    package init?(picture bytes: ArraySlice<UInt8>) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if bytes.starts(with: Array("RIFF".utf8)),
            bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        {
            self = .webp
        } else {
            return nil
        }
    }

    private static func audioFrame(_ bytes: ArraySlice<UInt8>) -> ContainerFormat? {
        let head = Array(bytes.prefix(6))
        guard head.count >= 2 else { return nil }
        if head[0] == 0x0B && head[1] == 0x77 {
            // ETSI TS 102 366: bsid above 10 means E-AC-3.
            return head.count > 5 && head[5] >> 3 > 10 ? .ec3 : .ac3
        }
        guard head[0] == 0xFF else { return nil }
        if head[1] & 0xF6 == 0xF0 { return .aac }
        return head[1] & 0xE0 == 0xE0 ? .mp3 : nil
    }

    /// The length of an ID3v2 tag at the beginning, header included.
    private static func id3Length(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.starts(with: Array("ID3".utf8)), bytes.count >= 10 else { return nil }
        let size = bytes.dropFirst(6).prefix(4).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return 10 + size
    }
}
