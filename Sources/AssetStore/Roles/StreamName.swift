internal import Foundation
internal import HLSPlaylist

/// Names for streams without a name from the user.
enum StreamName {
    /// A name that is made of the last meaningful part of the address's path.
    static func ofAddress(_ url: String) -> String {
        let parts = URIReference(url).path.split(separator: "/").map {
            ($0.removingPercentEncoding ?? String($0)).withoutControls
        }.filter { !$0.isEmpty }
        let dull: Set<String> = ["master", "index", "playlist", "main", "manifest", "prog_index", "stream"]
        let stems = parts.map { part in
            String(part.hasSuffix(".m3u8") || part.hasSuffix(".m3u") ? part.prefix { $0 != "." } : part[...])
        }
        return stems.last { !dull.contains($0.lowercased()) } ?? URIReference(url).host ?? "stream"
    }

    /// The stream's own title: a line of 200 Unicode scalars at most; `nil` without one.
    static func title(of master: ResolvedMaster) -> String? {
        guard case .multivariant(let playlist) = master.playlist else { return nil }
        let titles = playlist.sessionData.filter { $0.dataID == ServedMultivariantPlaylist.titleID }
        // A title without a language is for all users.
        guard let text = (titles.first { $0.language == nil } ?? titles.first)?.value else { return nil }
        let words = text.plainLine.split(separator: " ").joined(separator: " ").unicodeScalars.prefix(200)
        return words.isEmpty ? nil : String(words)
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIIControl: Bool { value < 0x20 || value == 0x7F }
}

extension String {
    fileprivate var withoutControls: String {
        String(UnicodeScalarView(unicodeScalars.filter { !$0.isASCIIControl }))
    }
}
