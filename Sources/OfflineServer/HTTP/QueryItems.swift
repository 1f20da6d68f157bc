internal import AssetStore
internal import Foundation

/// The parameters of a URL's query, percent-decoded; of several with one name the first counts.
struct QueryItems {
    private var values: [String: String] = [:]
    private var repeated: Set<String> = []

    init(_ query: String?) {
        for item in (query ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { $0.replacing("+", with: " ").removingPercentEncoding ?? String($0) }
            let name = decoded[0]
            if values[name] == nil {
                values[name] = decoded.count > 1 ? decoded[1] : ""
            } else {
                repeated.insert(name)
            }
        }
    }

    /// Whether the client asks for segments in the clear.
    var isClear: Bool { self["decrypt"] == "1" }

    /// Whether the client asks for stored units only.
    var isAvailableOnly: Bool { self["available"] == "1" }

    /// The view of an unfinished recording, and the start time of playback.
    var liveView: LiveView {
        var view = LiveView(start: self["start"], window: self["DVR"], isClear: isClear)
        view.isForClearKey = isForClearKey
        view.isFragmented = isFragmented
        return view
    }

    /// Whether sample encryption is to be described by key IDs, for ClearKey.
    var isForClearKey: Bool { self["keys"] == "clearkey" }

    /// Whether the client asks for all media as fragmented MP4.
    var isFragmented: Bool { self["container"] == "fmp4" }

    /// The parameters that playlists depend on, each with its length, so that two queries are one key exactly when they
    /// ask for the same.
    var playlistKey: String { key(of: Self.ofPlaylists) }

    /// The items of these names, each with its length.
    func key(of names: [String]) -> String {
        names.compactMap { name in
            values[name].map { "\(name)=\($0.utf8.count):\($0)" }
        }.joined(separator: "&")
    }

    private static let ofPlaylists = [
        "DVR", "audio", "available", "container", "decrypt", "keys", "start", "subtitles",
    ]

    /// Whether an item of this name is given more than once.
    func isRepeated(_ name: String) -> Bool { repeated.contains(name) }

    /// The names of all items, sorted.
    var names: [String] { values.keys.sorted() }

    subscript(name: String) -> String? { values[name] }
}

/// An entity tag for generated content: FNV-1a of its bytes, which are few.
enum ContentTag {
    static func of(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 36)
    }
}
