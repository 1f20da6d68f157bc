internal import HLSPlaylist

/// How each part of a rendition is encrypted, by its playlist.
struct DecryptionPlan: Sendable {
    /// How one part is encrypted.
    struct Part: Sendable {
        var method: EncryptionKey.Method
        /// The name of its key; `nil` when only its identifier in the media tells.
        var keyID: String?
        var iv: [UInt8]
        /// The initialization section that goes with it.
        var section: Int?
    }

    private let segments: [Int: Part]
    private let sections: [Part?]
    /// The name of the key of each initialization section's first segment.
    let sectionKeys: [Int: String]

    init(_ playlist: MediaPlaylist, keys: ServedKeys) {
        var segments: [Int: Part] = [:]
        var sectionKeys: [Int: String] = [:]
        for segment in playlist.segments {
            let part = Self.part(
                segment.keys, keys, number: segment.mediaSequence, section: segment.initializationSection)
            guard let part else { continue }
            segments[segment.mediaSequence] = part
            if let section = segment.initializationSection, sectionKeys[section] == nil {
                sectionKeys[section] = part.keyID
            }
        }
        self.segments = segments
        self.sectionKeys = sectionKeys
        sections = playlist.initializationSections.map { Self.part($0.keys, keys, number: 0, section: nil) }
    }

    private static func part(_ list: [EncryptionKey], _ keys: ServedKeys, number: Int, section: Int?) -> Part?
    {
        if let key = ServedKeys.identity(list) {
            let iv = key.initializationVector(mediaSequence: number)?.bytes ?? []
            return Part(method: key.method, keyID: keys.identifier(of: key), iv: iv, section: section)
        }
        guard let key = list.first(where: { $0.method != .none }) else { return nil }
        return Part(method: key.method, keyID: nil, iv: key.iv?.bytes ?? [], section: section)
    }

    /// How a part is encrypted; `nil` when it is not, as far as the playlist tells.
    func part(_ name: UnitName) -> Part? {
        switch name {
        case .segment(let number): segments[number]
        case .initialization(let number): sections.indices.contains(number) ? sections[number] : nil
        }
    }
}
