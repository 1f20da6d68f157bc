package import HLSPlaylist
internal import Languages

extension LeftOut {
    /// The parts of a selection that a stream can't satisfy. A selection of everything, as for an import, has none.
    ///
    /// - Parameter missing: the URIs of variants that can't be fetched.
    package static func all(
        of selection: Selection, in playlist: Playlist, without missing: Set<String> = []
    ) throws(StoreError) -> [LeftOut] {
        guard selection != .everything else { return [] }
        switch playlist {
        case .media: return ofSoleStream(selection)
        case .multivariant(let master):
            return try StreamSelector.leftOut(of: selection, in: master, without: missing)
        }
    }

    /// The parts of a selection that a single media playlist can't satisfy: it has no choices.
    private static func ofSoleStream(_ selection: Selection) -> [LeftOut] {
        var left: [LeftOut] = []
        for (kind, languages) in [(Kind.audio, selection.audio), (.subtitles, selection.subtitles)] {
            if case .matching(let names) = languages { left += names.map { LeftOut(kind, $0) } }
        }
        return left + selection.variantWishes.map { LeftOut(.variant, $0.words) }
            + (selection.trickPlay ? [LeftOut(.variant, trickPlay)] : [])
    }

    package static let trickPlay = "trick play"

    /// The license terms that have no effect on a stream without keys. A recording may get keys later.
    ///
    /// - Parameter wish: the requested recording, which has no effect on a stream with an end.
    package static func unfitting(
        _ terms: LicenseTerms, _ wish: Selection.Recording?, for plan: DownloadPlan
    ) -> [LeftOut] {
        guard plan.recording == nil else { return [] }
        return unfitting(wish) + (plan.keys.isEmpty ? unfitting(terms) : [])
    }

    private static func unfitting(_ wish: Selection.Recording?) -> [LeftOut] {
        guard let wish else { return [] }
        let limit = wish.duration.map { "duration \(text(Int64($0)))" }
        let words = ["live", wish.fromStart ? "from start" : nil, limit].compactMap(\.self)
        return [LeftOut(.recording, words.joined(separator: ", "))]
    }

    private static func unfitting(_ terms: LicenseTerms) -> [LeftOut] {
        let limits = [("rental", terms.rental), ("play window", terms.playWindow)]
        return limits.compactMap { name, seconds in
            seconds.map { LeftOut(.licenseTerms, "\(name) \(text($0))") }
        }
    }

    /// Seconds in the largest unit that tells them exactly.
    private static func text(_ seconds: Int64) -> String {
        let unit = [("d", Int64(86400)), ("h", 3600), ("m", 60)].first { seconds.isMultiple(of: $0.1) }
        return "\(seconds / (unit?.1 ?? 1))\(unit?.0 ?? "s")"
    }

    /// The items that an asset lacks after another request.
    package static func merged(_ before: [LeftOut], _ wish: Selection, now: [LeftOut]) -> [LeftOut] {
        let asked = Set(ofSoleStream(wish).map { Asked(kind: $0.kind, wanted: $0.wanted) })
        let rest = before.filter { old in
            !asked.contains(Asked(kind: old.kind, wanted: old.wanted)) && !now.contains(old)
        }
        return rest + now
    }

    private struct Asked: Hashable {
        var kind: Kind
        var wanted: String
    }
}

extension Selection {
    /// A limit by which a variant is chosen.
    package struct VariantWish {
        package var words: String
        /// Whether a variant is within the limit; a variant without RESOLUTION fits any height.
        package var fits: @Sendable (VariantStream) -> Bool
    }

    /// The limits that were asked for.
    var variantWishes: [VariantWish] {
        var wishes: [VariantWish] = []
        if let height = maximumHeight {
            wishes.append(
                VariantWish(words: "of \(height)p at most") { ($0.resolution?.height ?? 0) <= height })
        }
        if let most = maximumBitrate {
            wishes.append(VariantWish(words: "of \(most) bit/s at most") { $0.bandwidth <= most })
        }
        if let least = minimumBitrate {
            wishes.append(VariantWish(words: "of \(least) bit/s at least") { $0.bandwidth >= least })
        }
        return wishes
    }
}

extension StreamSelector {
    /// The wishes of a selection that a stream can't fulfil.
    package static func leftOut(
        of selection: Selection, in master: MultivariantPlaylist, without missing: Set<String> = []
    ) throws(StoreError) -> [LeftOut] {
        let selector = StreamSelector(master: master, selection: selection, missing: missing)
        let variants = try selector.variants()
        var left: [LeftOut] = []
        for (kind, type, languages) in [
            (LeftOut.Kind.audio, RenditionType.audio, selection.audio),
            (.subtitles, .subtitles, selection.subtitles),
        ] {
            guard case .matching(let names) = languages else { continue }
            let members = groups(variants, type).map { master.renditions(type, group: $0) }
            let offered = labels(of: members.flatMap(\.self))
            left += names.filter { name in
                members.allSatisfy { matches(name, in: $0, type).isEmpty }
            }.map { LeftOut(kind, $0, offered: offered) }
        }
        if !selection.allVariants {
            left += selection.variantWishes.filter { !variants.contains(where: $0.fits) }.map {
                LeftOut(.variant, $0.words, offered: offers(of: master.variants, $0))
            }
        }
        if selection.trickPlay, master.iFrameStreams.isEmpty, master.imageStreams.isEmpty {
            left.append(LeftOut(.variant, LeftOut.trickPlay))
        }
        return left
    }

    /// Each language once, or names for renditions without one.
    private static func labels(of members: [Rendition]) -> [String] {
        var seen: Set<String> = []
        return members.map { $0.language ?? $0.name }.filter { seen.insert($0).inserted }
    }

    /// The values of the variants for the property that a limit is about, ascending.
    private static func offers(of variants: [VariantStream], _ wish: Selection.VariantWish) -> [String] {
        let isByHeight = wish.words.contains("p at")
        let values = variants.compactMap { isByHeight ? $0.resolution?.height : $0.bandwidth }
        return Set(values).sorted().map { "\($0)\(isByHeight ? "p" : " bit/s")" }
    }

    /// The positions of the renditions that a name means: those of a language, otherwise those with this NAME,
    /// otherwise the one with this name in an asset.
    package static func matches(_ name: String, in members: [Rendition], _ type: RenditionType) -> [Int] {
        let byLanguage = LanguageRange.matches(name, in: members.map(\.language))
        if !byLanguage.isEmpty { return byLanguage }
        let byName = members.indices.filter { members[$0].name.lowercased() == name.lowercased() }
        if !byName.isEmpty { return byName }
        var names = RenditionNames()
        return members.indices.filter { index in
            names.name(
                for: SelectedStream(
                    kind: type == .audio ? .audio : .subtitles, uri: nil, required: false,
                    listings: [members[index].attributes])) == name
        }
    }
}
