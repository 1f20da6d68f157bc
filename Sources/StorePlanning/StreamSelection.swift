package import HLSPlaylist

/// A media playlist that was chosen from a multivariant playlist, with the tags that list it.
package struct SelectedStream: Sendable, Hashable {
    package var kind: RenditionKind
    /// The URI of its playlist as listed; `nil` for renditions that are carried in another one.
    package var uri: String?
    /// Whether the asset can't play without it.
    package var required: Bool
    /// Attributes of each tag that lists the playlist; the first gives it its name.
    package var listings: [AttributeList]

    package init(kind: RenditionKind, uri: String? = nil, required: Bool, listings: [AttributeList]) {
        self.kind = kind
        self.uri = uri
        self.required = required
        self.listings = listings
    }

    /// Whether a rendition of an asset was made from this stream. Its URI and pathway may have changed.
    package func isSource(of row: RenditionRecord) -> Bool {
        row.kind == kind
            && row.listings.contains { text in
                guard let list = try? AttributeList(parsing: text).identity else { return false }
                return listings.contains { $0.identity == list }
            }
    }
}

extension AttributeList {
    /// The attributes that identify a stream in its presentation: all but its URI and pathway.
    package var identity: AttributeList { removing("URI").removing("PATHWAY-ID") }

    /// Whether a variant has only audio, by its attributes.
    var isSoundAlone: Bool {
        let codecs = (self["CODECS"] ?? "").split(separator: ",").map { codec in
            codec.drop { $0 == " " }.lowercased()
        }
        let others = ["mp4a", "ac-3", "ec-3", "opus", "flac", "stpp", "wvtt"]
        return self["RESOLUTION"] == nil && !codecs.isEmpty
            && codecs.allSatisfy { codec in others.contains { codec.hasPrefix($0) } }
    }
}

extension VariantStream {
    fileprivate func selected(required: Bool) -> SelectedStream {
        SelectedStream(kind: .variant, uri: uri, required: required, listings: [attributes])
    }

    /// Whether one of these renditions of an asset was made of it.
    fileprivate func isSource(of rows: [RenditionRecord]) -> Bool {
        rows.contains(where: selected(required: true).isSource)
    }
}

/// Chooses variants and renditions of a multivariant playlist by a selection. Pure.
package struct StreamSelector {
    package let master: MultivariantPlaylist
    package let selection: Selection
    /// The URIs of variants and audio that can't be had.
    package var missing: Set<String> = []

    /// Chooses the streams in the order in which they are served.
    ///
    /// - Parameters:
    ///   - rows: the present renditions of an asset. Variants among them stay chosen, whatever the selection says.
    ///   - missing: the URIs of variants and audio whose playlists can't be fetched. They are not chosen.
    package static func select(
        from master: MultivariantPlaylist, _ selection: Selection, for rows: [RenditionRecord] = [],
        without missing: Set<String> = []
    ) throws(StoreError) -> [SelectedStream] {
        let selector = StreamSelector(master: master, selection: selection, missing: missing)
        let variants = try selector.variants(for: rows.filter(\.required))
        let stored = selector.candidates().filter { $0.isSource(of: rows) }
        var chosen = variants.map { $0.selected(required: true) }
        chosen += try selector.renditions(.audio, .audio, of: variants, languages: selection.audio)
        chosen += try selector.renditions(.video, .video, of: variants, languages: .automatic)
        chosen += try selector.renditions(
            .subtitles, .subtitles, of: variants, languages: selection.subtitles)
        chosen += selector.closedCaptions(of: variants)
        if selection.trickPlay { chosen += selector.trickPlay(for: variants) }
        var known = variants
        for addition in selection.additions ?? [] {
            chosen += try StreamSelector(master: master, selection: addition).additions(to: &known, stored)
        }
        return joined(chosen)
    }

    /// The tags of the renditions that a selection adds to an asset. Renditions that were removed from the asset are
    /// added only if this selection names them.
    package static func listings(
        wishedFor selection: Selection, from master: MultivariantPlaylist, beside rows: [RenditionRecord]
    ) throws(StoreError) -> Set<AttributeList> {
        var known = master.variants.filter { $0.isSource(of: rows.filter { $0.failure == nil }) }
        let streams = try StreamSelector(master: master, selection: selection).additions(to: &known)
        return Set(streams.flatMap(\.listings))
    }

    /// The streams that a later selection adds. Types that it does not name get nothing new, except that a new variant
    /// brings the rendition groups that no other variant has.
    ///
    /// - Parameter stored: variants that the asset has.
    private func additions(
        to variants: inout [VariantStream], _ stored: [VariantStream] = []
    ) throws(StoreError) -> [SelectedStream] {
        let known = variants
        var fresh: [VariantStream] = []
        if selection.namesVariants {
            for variant in stored + (try self.variants())
            where !known.contains(variant) && !fresh.contains(variant) { fresh.append(variant) }
        }
        variants += fresh
        var chosen = fresh.map { $0.selected(required: false) }
        for (type, kind, languages) in [
            (RenditionType.audio, RenditionKind.audio, selection.audio),
            (.video, .video, .automatic), (.subtitles, .subtitles, selection.subtitles),
        ] {
            let isNamed = languages != .automatic
            chosen += try renditions(
                type, kind, of: isNamed ? variants : fresh, languages: languages,
                except: isNamed ? [] : Self.groups(known, type))
        }
        let captions = Self.groups(known, .closedCaptions)
        chosen += closedCaptions(of: fresh).filter { !captions.contains($0.listings[0]["GROUP-ID"] ?? "") }
        if selection.trickPlay { chosen += trickPlay(for: variants) }
        for index in chosen.indices { chosen[index].required = false }
        return chosen
    }

    /// The variants of one pathway without redundant copies (RFC 8216bis, section 7.1). A playlist that is listed
    /// several times counts once, or, if the selection has a bit rate, once for each BANDWIDTH.
    private func candidates() -> [VariantStream] {
        var seen: Set<AttributeList> = []
        var uris: Set<String> = []
        return onPathway(master.variants).filter { variant in
            let isNew = seen.insert(variant.attributes).inserted
            let listing = hasBitrateRule ? "\(variant.bandwidth) \(variant.uri)" : variant.uri
            return isNew && !missing.contains(variant.uri)
                && (selection.allVariants || uris.insert(listing).inserted)
        }
    }

    /// The streams of the first pathway, or all streams without pathways.
    private func onPathway<Stream: StreamAttributes>(_ streams: [Stream]) -> [Stream] {
        let pathway = master.contentSteering?.pathwayID ?? master.variants.first?.pathwayID
        let own = streams.filter { ($0.pathwayID ?? ".") == (pathway ?? ".") }
        return own.isEmpty ? streams : own
    }

    /// - Parameter rows: the renditions that were chosen before. Variants that the stream still has for them stay
    ///   chosen.
    package func variants(for rows: [RenditionRecord] = []) throws(StoreError) -> [VariantStream] {
        let all = candidates()
        guard !all.isEmpty else { throw StoreError(.ineligible(.empty)) }
        if selection.allVariants { return all }
        let stored = all.filter { $0.isSource(of: rows) }
        guard stored.isEmpty else { return stored }
        let playable = withPictureIfAny(all).sorted { $0.bandwidth < $1.bandwidth }
        let height = selection.maximumHeight ?? (hasBitrateRule ? .max : 1080)
        let low = playable.filter { ($0.resolution?.height ?? 0) <= height }
        let fitting = low.isEmpty ? Array(playable.prefix(1)) : low
        return [byBitrate(fitting)].compactMap(\.self)
    }

    private var hasBitrateRule: Bool { selection.maximumBitrate != nil || selection.minimumBitrate != nil }

    /// - Parameter fitting: in order of bandwidth.
    private func byBitrate(_ fitting: [VariantStream]) -> VariantStream? {
        if let most = selection.maximumBitrate {
            return fitting.last { $0.bandwidth <= most } ?? fitting.first
        }
        if let least = selection.minimumBitrate {
            return fitting.first { $0.bandwidth >= least } ?? fitting.last
        }
        return fitting.last
    }

    /// The variants to choose from: if the height decides, those with RESOLUTION, if there are any; otherwise all but
    /// those with audio only.
    private func withPictureIfAny(_ variants: [VariantStream]) -> [VariantStream] {
        let measured = variants.filter { $0.resolution != nil }
        let isByHeight = selection.maximumHeight != nil || !hasBitrateRule
        if isByHeight && !measured.isEmpty { return measured }
        let withPicture = variants.filter { !$0.attributes.isSoundAlone }
        return withPicture.isEmpty ? variants : withPicture
    }

    private func renditions(
        _ type: RenditionType, _ kind: RenditionKind, of variants: [VariantStream],
        languages: Selection.Languages, except known: [String] = []
    ) throws(StoreError) -> [SelectedStream] {
        let groups = Self.groups(variants, type).filter { !known.contains($0) }
        var chosen: [SelectedStream] = []
        var offered: [Rendition] = []
        for group in groups {
            let members = present(master.renditions(type, group: group))
            offered += members
            let wanted = Self.wanted(members, languages, type: type)
            let main = type == .subtitles ? nil : Self.preferred(wanted)
            chosen += wanted.map {
                SelectedStream(kind: kind, uri: $0.uri, required: $0 == main, listings: [$0.attributes])
            }
        }
        if case .matching = languages, chosen.isEmpty {
            let wish = type == .audio ? "audio language" : "subtitle language"
            throw StoreError(.nothingSelected(wish: wish, offered: offered.map { $0.language ?? $0.name }))
        }
        return chosen
    }

    /// The renditions of a group that can be fetched. If none can, all are returned, so that their errors are
    /// reported.
    private func present(_ members: [Rendition]) -> [Rendition] {
        let present = members.filter { member in member.uri.map { !missing.contains($0) } ?? true }
        return present.isEmpty ? members : present
    }

    package static func groups(_ variants: [VariantStream], _ type: RenditionType) -> [String] {
        var groups: [String] = []
        for variant in variants {
            let name =
                switch type {
                case .audio: variant.audio
                case .video: variant.video
                case .subtitles: variant.subtitles
                case .closedCaptions: variant.closedCaptions
                }
            if let name, !groups.contains(name) { groups.append(name) }
        }
        return groups
    }

    private static func wanted(
        _ members: [Rendition], _ languages: Selection.Languages, type: RenditionType
    ) -> [Rendition] {
        switch languages {
        case .all: return members
        case .automatic: return type == .subtitles ? members : preferred(members).map { [$0] } ?? []
        case .none: return []
        case .matching(let names):
            let indices = Set(names.flatMap { matches($0, in: members, type) })
            return members.indices.filter(indices.contains).map { members[$0] }
        }
    }

    /// The rendition that a player takes by itself: DEFAULT, else AUTOSELECT, else the first.
    private static func preferred(_ members: [Rendition]) -> Rendition? {
        members.first(where: \.isDefault) ?? members.first(where: \.autoselect) ?? members.first
    }

    private func closedCaptions(of variants: [VariantStream]) -> [SelectedStream] {
        Self.groups(variants, .closedCaptions).flatMap { master.renditions(.closedCaptions, group: $0) }
            .map {
                SelectedStream(kind: .closedCaptions, uri: nil, required: false, listings: [$0.attributes])
            }
    }

    /// The I-frame streams and thumbnail tracks that fit the variants.
    private func trickPlay(for variants: [VariantStream]) -> [SelectedStream] {
        let frames = fitting(master.iFrameStreams, variants).map {
            SelectedStream(kind: .iframe, uri: $0.uri, required: false, listings: [$0.attributes])
        }
        return frames
            + fitting(master.imageStreams, variants).map {
                SelectedStream(kind: .images, uri: $0.uri, required: false, listings: [$0.attributes])
            }
    }

    /// The best stream that is no higher than the variants; with `allVariants`, all streams. Only one pathway counts,
    /// without redundant copies.
    private func fitting<Stream: StreamAttributes>(
        _ all: [Stream], _ variants: [VariantStream]
    ) -> [Stream] {
        var seen: Set<AttributeList> = []
        let streams = onPathway(all).filter { seen.insert($0.attributes.identity).inserted }
        if selection.allVariants { return streams }
        let height = variants.compactMap { $0.resolution?.height }.max() ?? .max
        let sorted = streams.sorted { $0.bandwidth < $1.bandwidth }
        let best = sorted.last { ($0.resolution?.height ?? 0) <= height } ?? sorted.first
        return [best].compactMap(\.self)
    }

    /// One stream for each playlist, however often it is listed.
    private static func joined(_ streams: [SelectedStream]) -> [SelectedStream] {
        var joined: [SelectedStream] = []
        var index: [String: Int] = [:]
        for stream in streams {
            guard let uri = stream.uri, let known = index[uri], joined[known].kind == stream.kind else {
                if let uri = stream.uri { index[uri] = joined.count }
                joined.append(stream)
                continue
            }
            joined[known].listings += stream.listings.filter { !joined[known].listings.contains($0) }
            joined[known].required = joined[known].required || stream.required
        }
        return joined
    }
}
