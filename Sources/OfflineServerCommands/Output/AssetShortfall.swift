internal import AssetStore
internal import OfflineServer

/// What an asset lacks of what was asked for, in sentences for people.
struct AssetShortfall {
    /// What of its stream could not be had: what could not be read, and what was given up on the way.
    let renditions: [String]
    /// Content keys that are missing, and what to do about it; `nil` when none is.
    let keys: String?

    /// - Parameter reader: of the store that has the asset.
    init(_ asset: Asset, _ reader: StoreReader) throws {
        renditions =
            asset.lost.map { Self.sentence($0, of: asset.token) }
            + asset.renditions.compactMap { rendition in
                rendition.failure.map { "\(Self.label(rendition)) was given up: \($0)" }
            }
        guard asset.license.state == .missing else {
            keys = nil
            return
        }
        let outlines = try reader.keyOutlines(of: asset.token)
        let missing = outlines.filter { !$0.isUsable }
        keys = Self.sentence(
            missing: missing.count, of: outlines.count, token: asset.token,
            mayAsk: missing.contains { $0.format == nil })
    }

    /// What was left out, why, and the command that tries it again.
    static func sentence(_ lost: LostStream, of token: AssetToken) -> String {
        let advice = wish(for: lost).map { "; `offline-server add-tracks \(token) \($0)` tries it again" }
        return "\(lost.label) was left out: \(lost.reason)\(advice ?? "")"
    }

    /// The options by which `add-tracks` names it; `nil` where there are none.
    private static func wish(for lost: LostStream) -> String? {
        // A stream may name anything a language: only what is one is fit to be typed.
        let language = lost.language.flatMap { LanguageTag.isTag($0) ? $0 : nil }
        return switch RenditionKind(rawValue: lost.kind) {
        case .audio: language.map { "--audio \($0)" }
        case .subtitles: language.map { "--subtitles \($0)" }
        case .variant: lost.bandwidth.map { "--max-bitrate \($0)" }
        case .iframe, .images: "--trick-play"
        case .video, .closedCaptions, nil: nil
        }
    }

    /// `audio de (Deutsch)`.
    static func label(_ rendition: AssetRendition) -> String {
        let name = rendition.title ?? rendition.name
        let facts = [
            RenditionName.language(rendition), rendition.resolution,
            name == rendition.language ? nil : name,
        ].compactMap(\.self)
        let rest = facts.dropFirst().joined(separator: ", ")
        return "\(rendition.kind.rawValue) \(facts[0])\(rest.isEmpty ? "" : " (\(rest))")".plainLine
    }

    /// The count of missing keys, and the commands that bring them.
    ///
    /// - Parameter mayAsk: whether there is anybody to ask for one of them, as there is not for those of key systems.
    static func sentence(missing: Int, of all: Int, token: AssetToken, mayAsk: Bool = true) -> String {
        let count =
            all == 1 ? "its content key is missing" : "\(missing) of its \(all) content keys are missing"
        let them = missing == 1 ? "it" : "them"
        let renewal = mayAsk ? "`offline-server license renew \(token)` asks for \(them) again, " : ""
        return
            "\(count): \(renewal)`offline-server key add \(token) KID:KEY` gives one that you have"
    }
}
