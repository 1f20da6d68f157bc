package import HLSPlaylist

/// How each part of a rendition is encrypted, by its playlist.
package struct DecryptionPlan: Sendable {
    /// How one part is encrypted.
    package struct Part: Sendable {
        package var method: EncryptionKey.Method
        /// The name of its key; `nil` if the key is known only by the key ID in the media.
        package var keyID: String?
        package var iv: [UInt8]
    }

    private let segments: [Int: Part]
    private let sections: [Part?]
    /// The media sequence number of the last segment.
    private let last: Int
    /// The name of the key of each initialization section's first segment.
    package let sectionKeys: [Int: String]
    /// The initialization section of each segment.
    private let sectionNumbers: [Int: Int]

    /// Whether the playlist names keys for any unit.
    package var hasKeys: Bool { !segments.isEmpty }

    package init(_ playlist: MediaPlaylist, keys: ServedKeys) {
        var segments: [Int: Part] = [:]
        var sectionKeys: [Int: String] = [:]
        var sectionNumbers: [Int: Int] = [:]
        for segment in playlist.segments {
            sectionNumbers[segment.mediaSequence] = segment.initializationSection
            guard let part = Self.part(segment.keys, keys, number: segment.mediaSequence) else { continue }
            segments[segment.mediaSequence] = part
            if let section = segment.initializationSection, sectionKeys[section] == nil {
                sectionKeys[section] = part.keyID
            }
        }
        self.segments = segments
        self.sectionKeys = sectionKeys
        last = playlist.segments.last?.mediaSequence ?? -1
        self.sectionNumbers = sectionNumbers
        sections = playlist.initializationSections.map { Self.part($0.keys, keys, number: 0) }
    }

    private static func part(_ list: [EncryptionKey], _ keys: ServedKeys, number: Int) -> Part? {
        if let key = keys.usable(list) {
            let iv = key.initializationVector(mediaSequence: number)?.bytes ?? []
            return Part(method: key.method, keyID: keys.identifier(of: key), iv: iv)
        }
        guard let key = list.first(where: { $0.method != .none }) else { return nil }
        return Part(method: key.method, keyID: nil, iv: key.iv?.bytes ?? [])
    }

    /// How a part is encrypted; `nil` when it is not, as far as the playlist tells.
    package func part(_ name: UnitName) -> Part? {
        switch name {
        case .segment(let number): segments[number]
        case .initialization(let number): sections.indices.contains(number) ? sections[number] : nil
        }
    }

    /// Whether the playlist that this plan was made from lists a unit. A growing playlist may list more by now.
    package func reaches(_ name: UnitName) -> Bool {
        switch name {
        case .segment(let number): number <= last
        case .initialization(let number): number < sections.count
        }
    }

    /// The initialization section that goes with a segment.
    package func section(ofSegment number: Int) -> Int? { sectionNumbers[number] }
}
