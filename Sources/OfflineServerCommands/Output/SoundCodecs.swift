internal import AssetStore

/// The codecs of audio renditions. A playlist lists them with its variants only, together with those of the pictures
/// (RFC 8216bis, section 4.4.6.2).
enum SoundCodecs {
    /// The first parts of the names of codecs for sound (RFC 6381, and those of MP4 sample entries).
    private static let names: Set<String> = [
        "mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "dtsc", "dtse", "dtsh", "dtsl", "dtsx",
        "mhm1", "mhm2",
        "iamf",
    ]

    /// The codecs of an audio rendition, by a variant that plays with its group; `nil` if none is known.
    static func text(_ rendition: AssetRendition, among all: [AssetRendition]) -> String? {
        guard rendition.kind == .audio, let group = rendition.group else { return nil }
        let variants = all.filter { $0.kind == .variant && $0.group == group }
        let codecs = variants.lazy.compactMap { sound($0.codecs) }.first
        return codecs?.joined(separator: ",")
    }

    private static func sound(_ codecs: String?) -> [String]? {
        let found = list(codecs).filter { names.contains(name($0)) }
        return found.isEmpty ? nil : found
    }

    /// The names in CODECS.
    static func list(_ codecs: String?) -> [String] {
        (codecs ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
    }

    /// The first part of a codec's name, in small letters.
    static func name(_ codec: String) -> String { codec.prefix { $0 != "." }.lowercased() }
}
