package import HLSPlaylist

/// The alternative addresses of the streams of a multivariant playlist: redundant variants (RFC 8216bis, section 7.1),
/// other pathways, and clones of pathways (section 7.2). Pure.
package struct AlternativeStreams: Sendable {
    private let master: MultivariantPlaylist
    private let base: URIReference
    private let steering: SteeringManifest?

    /// - Parameters:
    ///   - base: the multivariant playlist's address.
    ///   - steering: the steering manifest; `nil` if it was not requested.
    package init(_ master: MultivariantPlaylist, base: String, steering: SteeringManifest? = nil) {
        self.master = master
        self.base = URIReference(base)
        self.steering = steering
    }

    /// The addresses of all playlists with the content of a stream, in the order of preference. The chosen playlist
    /// comes last.
    package func urls(of stream: SelectedStream) -> [String] {
        var found = candidates(for: stream)
        // Redundant variants have the same attributes. Only the first of them is the chosen one.
        let chosen = found.firstIndex { $0.isOwn }
        for index in found.indices where index != chosen { found[index].isOwn = false }
        let clones = (steering?.clones ?? []).reduce(into: found) { all, clone in
            all += all.filter { $0.pathway == clone.base }.map { clone.applied(to: $0) }
        }
        let own = found.first { $0.isOwn }
        let order = steering?.priority ?? []
        let others = clones.filter { !$0.isOwn }
        let named = order.flatMap { pathway in others.filter { $0.pathway == pathway } }
        let rest = others.filter { !order.contains($0.pathway) }
        let ranked = (named + rest).map(\.url)
        var seen: Set<String> = []
        return (ranked + [own?.url].compactMap(\.self)).filter { seen.insert($0).inserted }
    }

    /// A playlist of a stream.
    package struct Candidate: Sendable {
        package var url: String
        package var pathway: String
        /// STABLE-VARIANT-ID or STABLE-RENDITION-ID.
        var stableID: String?
        var isRendition: Bool
        package var isOwn: Bool

        package init(url: String, pathway: String, stableID: String? = nil, isRendition: Bool, isOwn: Bool) {
            self.url = url
            self.pathway = pathway
            self.stableID = stableID
            self.isRendition = isRendition
            self.isOwn = isOwn
        }
    }

    private func candidates(for stream: SelectedStream) -> [Candidate] {
        guard let list = stream.listings.first else { return [] }
        switch stream.kind {
        case .variant:
            return variants(like: list).map { variant in
                candidate(variant.uri, variant, isOwn: variant.attributes == list)
            }
        case .iframe:
            return master.iFrameStreams.filter { $0.attributes.content == list.content }.map { item in
                candidate(item.uri, item, isOwn: item.attributes == list)
            }
        case .images:
            return master.imageStreams.filter { $0.attributes.content == list.content }.map { item in
                candidate(item.uri, item, isOwn: item.attributes == list)
            }
        case .audio: return renditions(.audio, like: list)
        case .video: return renditions(.video, like: list)
        case .subtitles: return renditions(.subtitles, like: list)
        case .closedCaptions: return []
        }
    }

    private func variants(like list: AttributeList) -> [VariantStream] {
        let stable = list["STABLE-VARIANT-ID"]
        return master.variants.filter { variant in
            stable != nil ? variant.stableVariantID == stable : variant.attributes.content == list.content
        }
    }

    private func candidate(_ uri: String, _ stream: some StreamAttributes, isOwn: Bool) -> Candidate {
        Candidate(
            url: absolute(uri), pathway: stream.pathwayID ?? ".", stableID: stream.stableVariantID,
            isRendition: false, isOwn: isOwn)
    }

    /// The candidates for a rendition. A group of another pathway has another GROUP-ID, so it is found through the
    /// variants that refer to it.
    private func renditions(_ type: RenditionType, like list: AttributeList) -> [Candidate] {
        let users = master.variants.filter { $0.group(type) == list["GROUP-ID"] }
        var found: [Candidate] = []
        for variant in users.flatMap({ variants(like: $0.attributes) }) {
            for rendition in master.renditions(type, group: variant.group(type) ?? "") {
                guard let uri = rendition.uri, rendition.attributes.content == list.content else { continue }
                found.append(
                    Candidate(
                        url: absolute(uri), pathway: variant.pathwayID ?? ".",
                        stableID: rendition.stableRenditionID, isRendition: true,
                        isOwn: rendition.attributes == list))
            }
        }
        return found
    }

    private func absolute(_ uri: String) -> String { URIReference(uri).resolved(against: base).description }
}

extension AttributeList {
    /// The attributes that are the same on all pathways: neither addresses, nor pathways, nor names of groups.
    fileprivate var content: Set<Pair> {
        let own = [
            "URI", "PATHWAY-ID", "GROUP-ID", "AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS", "DEFAULT",
            "AUTOSELECT", "STABLE-RENDITION-ID",
        ]
        return Set(pairs.filter { !own.contains($0.name) })
    }
}

extension VariantStream {
    fileprivate func group(_ type: RenditionType) -> String? {
        switch type {
        case .audio: audio
        case .video: video
        case .subtitles: subtitles
        case .closedCaptions: closedCaptions
        }
    }
}
