package import SidebandSubtitles
package import StoreReading

/// A path of the server, parsed. Parsing and printing are inverse.
package enum Route: Equatable {
    case library
    case watch(AssetToken)
    /// A file of the pages: a script, the stylesheet, a picture.
    case page(String)
    case health
    case readiness
    case metrics
    case asset(AssetToken, AssetResource)
    case api([String])
}

/// A media resource below an asset's URL.
package enum AssetResource: Equatable {
    case multivariantPlaylist
    case mediaPlaylist(rendition: String)
    case unit(rendition: String, UnitName, extension: String)
    case key(id: String)
    case clearKey
    case poster
    case thumbnail
    case dateRanges
    case sessionData(Int)
    case interstitialList(Int)
    case subtitleList
    /// A whole track, by its language or its name.
    case subtitles(String, SubtitleFormat)
    /// A track cut along the video, by its name.
    case subtitlePlaylist(String)
    case subtitleSegment(String, Int)
    /// A picture of a track, by its language or its name.
    case subtitleFrame(String)
    /// The whole asset as one file.
    case file(AssetFileFormat)
    /// The DASH manifest of the asset.
    case manifest
}

extension Route {
    /// Reads a path; `nil` if it is not one of the server's.
    ///
    /// - Parameter path: percent-encoded, without the query. The server's own names need no encoding.
    package init?(path: String) {
        // A combining character would be one with the slash before it.
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch parts.first {
        case "" where parts.count == 1: self = .library
        case "watch" where parts.count == 2:
            guard let token = AssetToken(parts[1]), parts[1] == token.description else { return nil }
            self = .watch(token)
        case "app" where parts.count == 2 && !parts[1].isEmpty && !parts[1].hasPrefix("."):
            self = .page(parts[1])
        case "healthz" where parts.count == 1: self = .health
        case "readyz" where parts.count == 1: self = .readiness
        case "metrics" where parts.count == 1: self = .metrics
        case "api" where parts.count > 2 && parts[1] == "v1": self = .api(Array(parts.dropFirst(2)))
        case "assets":
            guard parts.count > 2, let token = AssetToken(parts[1]), parts[1] == token.description,
                let resource = AssetResource(parts.dropFirst(2))
            else { return nil }
            self = .asset(token, resource)
        default: return nil
        }
    }
}

extension Route {
    /// The asset below whose address a path is, whatever the rest of it names.
    package static func token(above path: String) -> AssetToken? {
        let parts = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "assets", let token = AssetToken(parts[2]),
            parts[2] == token.description
        else { return nil }
        return token
    }
}

extension AssetResource {
    fileprivate init?(_ parts: ArraySlice<String>) {
        guard let first = parts.first, !first.isEmpty else { return nil }
        if first == Self.subtitleFolder {
            guard let resource = Self.subtitleResource(parts.dropFirst()) else { return nil }
            self = resource
            return
        }
        if parts.count == 1, let format = AssetFileFormat.allCases.first(where: { $0.fileName == first }) {
            self = .file(format)
            return
        }
        switch (first, parts.dropFirst().first, parts.count) {
        case ("master.m3u8", nil, 1): self = .multivariantPlaylist
        case ("manifest.mpd", nil, 1): self = .manifest
        case ("poster", nil, 1): self = .poster
        case ("thumbnail", nil, 1): self = .thumbnail
        case ("dateranges", nil, 1): self = .dateRanges
        case ("clearkey", nil, 1): self = .clearKey
        case ("session-data", let text?, 2):
            guard let number = Int(text), String(number) == text, number >= 0 else { return nil }
            self = .sessionData(number)
        case ("interstitials", let file?, 2):
            guard case (.segment(let number), "json")? = Self.unit(file) else { return nil }
            self = .interstitialList(number)
        case ("keys", let file?, 2):
            guard file.hasSuffix(".key") else { return nil }
            self = .key(id: String(file.dropLast(4)))
        case (let rendition, "media.m3u8"?, 2): self = .mediaPlaylist(rendition: rendition)
        case (let rendition, let file?, 2):
            guard let (name, suffix) = Self.unit(file) else { return nil }
            self = .unit(rendition: rendition, name, extension: suffix)
        default: return nil
        }
    }

    private static let subtitleFolder = "subtitles"

    private static func subtitleResource(_ parts: ArraySlice<String>) -> AssetResource? {
        guard let name = parts.first else { return .subtitleList }
        guard parts.count == 1 else {
            return parts.count == 2 ? subtitleResource(name, parts.last ?? "") : nil
        }
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            let format = SubtitleFormat(rawValue: String(name[name.index(after: dot)...])), format != .text
        else { return nil }
        return .subtitles(String(name[..<dot]), format)
    }

    private static func subtitleResource(_ track: String, _ file: String) -> AssetResource? {
        if file == "media.m3u8" { return .subtitlePlaylist(track) }
        if file == "frame.png" { return .subtitleFrame(track) }
        guard case (.segment(let number), "vtt")? = unit(file) else { return nil }
        return .subtitleSegment(track, number)
    }

    private static func unit(_ file: String) -> (UnitName, String)? {
        guard let dot = file.lastIndex(of: ".") else { return nil }
        let suffix = String(file[file.index(after: dot)...])
        var stem = file[..<dot]
        let isInitialization = stem.hasPrefix("init-")
        if isInitialization { stem = stem.dropFirst(5) }
        // Each number has one spelling: neither `+7` nor `07`.
        guard let number = Int(stem), String(number) == stem, number >= 0 else { return nil }
        return (isInitialization ? .initialization(number) : .segment(number), suffix)
    }

    /// The path below the asset's own.
    package var relativePath: String {
        switch self {
        case .multivariantPlaylist: "master.m3u8"
        case .mediaPlaylist(let rendition): "\(rendition)/media.m3u8"
        case .unit(let rendition, .segment(let number), let suffix): "\(rendition)/\(number).\(suffix)"
        case .unit(let rendition, .initialization(let number), let suffix):
            "\(rendition)/init-\(number).\(suffix)"
        case .key(let id): "keys/\(id).key"
        case .clearKey: "clearkey"
        case .poster: "poster"
        case .thumbnail: "thumbnail"
        case .dateRanges: "dateranges"
        case .sessionData(let number): "session-data/\(number)"
        case .interstitialList(let number): "interstitials/\(number).json"
        case .subtitleList: Self.subtitleFolder
        case .subtitles(let name, let format): "\(Self.subtitleFolder)/\(name).\(format.rawValue)"
        case .subtitlePlaylist(let track): "\(Self.subtitleFolder)/\(track)/media.m3u8"
        case .subtitleSegment(let track, let number): "\(Self.subtitleFolder)/\(track)/\(number).vtt"
        case .file(let format): format.fileName
        case .manifest: "manifest.mpd"
        case .subtitleFrame(let name): "\(Self.subtitleFolder)/\(name)/frame.png"
        }
    }
}
