internal import HLSPlaylist

/// Names renditions by kind and properties (`video-720p`, `audio-en`, `subtitles-de`), each uniquely in an asset. A
/// name is a folder and a part of URLs, so it consists of lower-case letters, digits and hyphens.
package struct RenditionNames {
    /// `subtitles` alone is the address of an asset's whole subtitle tracks.
    private var taken: Set<String>

    /// - Parameter taken: the names that the asset's renditions have already.
    package init(taken: some Sequence<String> = []) { self.taken = Set(taken).union(["subtitles"]) }

    package mutating func name(for stream: SelectedStream) -> String {
        let plain = Self.plainName(for: stream)
        var name = plain
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(plain)-\(number)"
            number += 1
        }
        return name
    }

    private static func plainName(for stream: SelectedStream) -> String {
        let attributes = stream.listings.first ?? AttributeList()
        let language = attributes["LANGUAGE"] ?? attributes["NAME"]
        let height = attributes.resolution("RESOLUTION").map { "\($0.height)p" }
        switch stream.kind {
        case .variant: return joined(height == nil && attributes.isSoundAlone ? "audio" : "video", height)
        case .audio: return joined("audio", language)
        case .video: return joined("video", language)
        case .subtitles: return joined("subtitles", language)
        case .closedCaptions: return joined("captions", language)
        case .iframe: return joined("iframes", height)
        case .images: return joined("images", height)
        }
    }

    private static func joined(_ kind: String, _ detail: String?) -> String {
        let kept = (detail ?? "").lowercased().utf8.prefix(24).map { byte -> UInt8 in
            let isPlain = (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
            return isPlain ? byte : UInt8(ascii: "-")
        }
        let words = String(decoding: kept, as: UTF8.self).split(separator: "-")
        return ([kind[...]] + words).joined(separator: "-")
    }
}
