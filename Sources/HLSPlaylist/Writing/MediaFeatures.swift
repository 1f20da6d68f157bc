/// The features of a media playlist that old clients do not know (RFC 8216bis §8).
struct MediaFeatures: OptionSet {
    let rawValue: Int

    static let initializationVector = MediaFeatures(rawValue: 1)
    static let fractions = MediaFeatures(rawValue: 2)
    static let byteRanges = MediaFeatures(rawValue: 4)
    static let iFramesOnly = MediaFeatures(rawValue: 8)
    static let keyFormat = MediaFeatures(rawValue: 16)
    static let sampleEncryption = MediaFeatures(rawValue: 32)
    static let map = MediaFeatures(rawValue: 64)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(_ key: EncryptionKey) {
        self = []
        if key.ivText != nil { insert(.initializationVector) }
        if key.attributes["KEYFORMAT"] != nil || key.keyFormatVersions != nil { insert(.keyFormat) }
        if key.method != .aes128 { insert(.sampleEncryption) }
    }

    /// The lowest version that allows all of them.
    var version: Int {
        if contains(.map) { return contains(.iFramesOnly) ? 5 : 6 }
        if !isDisjoint(with: [.keyFormat, .sampleEncryption]) { return 5 }
        if !isDisjoint(with: [.byteRanges, .iFramesOnly]) { return 4 }
        if contains(.fractions) { return 3 }
        return contains(.initializationVector) ? 2 : 1
    }
}
