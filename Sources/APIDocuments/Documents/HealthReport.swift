internal import Languages
package import StoreReading

/// The health of an asset in words. Every sentence about a problem, and every advice, is made here.
package enum HealthReport {
    /// The words behind a state: `complete, damaged`, `complete, 28 s missing`; empty when all is well.
    package static func suffix(_ asset: Asset) -> String {
        let note = note(asset)
        return note.isEmpty ? "" : ", \(note)"
    }

    private static func note(_ asset: Asset) -> String {
        let health = asset.health
        if health.level == .damaged { return "damaged" }
        guard asset.state == .complete else { return "" }
        let missing = health.missingSeconds
        if missing > 0 { return "\(seconds(missing)) missing" }
        switch asset.license.state {
        case .revoked: return "license revoked"
        case .expired: return "license expired"
        case .missing: return "key missing"
        case .none, .valid: break
        }
        let givenUp = health.problems.filter { $0.kind == .renditionLost && $0.rendition != nil }
        let lost = givenUp.map { name($0, in: asset) } + asset.lost.filter(\.isMissed).map(\.name)
        if let first = lost.first {
            return lost.count == 1 ? "without \(first)" : "\(lost.count) renditions lost"
        }
        let odd = health.problems.filter { $0.kind == .unknownMedia }
        if odd.isEmpty { return "" }
        return odd.allSatisfy { $0.cause != nil } ? "odd segments" : "of an unknown kind"
    }

    /// A line for each problem: the problem, its place and the advice.
    ///
    /// - Parameter kinds: problems that are reported elsewhere.
    package static func lines(_ asset: Asset, except kinds: [HealthProblem.Kind] = []) -> [String] {
        let failure = asset.failure?.message
        // The cause of a failed download is reported as its error.
        return asset.health.problems.filter { problem in
            // `losses` reports renditions that could not be read.
            let isLoss = problem.kind == .renditionLost && problem.rendition == nil
            return !isLoss && !kinds.contains(problem.kind)
                && (problem.cause == nil || problem.cause != failure)
        }.map { problem in
            let advice = advice(problem, of: asset)
            return "\(detail(problem, in: asset))\(advice.map { "; \($0)" } ?? "")"
        }
    }

    /// The lost renditions: those that could not be read, and those that were given up later.
    package static func losses(_ asset: Asset) -> [String] {
        let others = HealthProblem.Kind.allCases.filter { $0 != .renditionLost }
        return asset.lost.map { sentence($0, of: asset.token) } + lines(asset, except: others)
    }

    /// The stream that was left out, the reason, and the command that tries it again.
    static func sentence(_ lost: LostStream, of token: AssetToken) -> String {
        let advice =
            lost.kind == LostStream.posterKind
            ? "; the asset's page, or a PATCH of its `artwork`, sets another picture"
            : wish(for: lost).map { "; `offline-server add-tracks \(token) \($0)` tries it again" }
        return "\(lost.label) was left out: \(lost.reason)\(advice ?? "")"
    }

    /// The options by which `add-tracks` names it; `nil` without any.
    private static func wish(for lost: LostStream) -> String? {
        // A stream may have any text as LANGUAGE: only a valid language tag is printed as part of a command.
        let language = lost.language.flatMap { LanguageTag.isTag($0) ? $0 : nil }
        return switch RenditionKind(rawValue: lost.kind) {
        case .audio: language.map { "--audio \($0)" }
        case .subtitles: language.map { "--subtitles \($0)" }
        case .variant: lost.bandwidth.map { "--max-bitrate \($0)" }
        case .iframe, .images: "--trick-play"
        case nil where lost.kind == LostStream.subtitleFileKind: language.map { "--subtitle-file FILE:\($0)" }
        case .video, .closedCaptions, nil: nil
        }
    }

    /// One problem in a clause.
    package static func detail(_ problem: HealthProblem, in asset: Asset) -> String {
        let place = place(problem, in: asset)
        let segments = units(problem)
        switch problem.kind {
        case .segmentMissing where problem.cause != nil:
            return "\(segments) of \(place) can't be fetched: \(problem.cause ?? "")"
        case .segmentMissing: return "\(segments) of \(place) \(are(problem)) gone"
        case .segmentDamaged:
            return
                "\(segments) of \(place) \(problem.count == 1 ? "has" : "have") other bytes than were stored"
        case .playlistMissing: return "the playlist of \(place) is gone or cut off"
        case .undecodable: return "no player can decode \(segments) of \(place)"
        case .drifted where problem.rendition == nil:
            return "the origin has another stream now, and nothing of that is stored"
        case .drifted:
            return
                "\(place) has segments of two versions of the stream\(problem.cause.map { ": \($0)" } ?? "")"
        case .licenseExpired: return "its license has expired, so that it does not play"
        case .keyMissing where asset.license.state == .revoked:
            return "its license was revoked, so that it does not play"
        case .keyMissing:
            return problem.count == 1
                ? "a content key is missing, so that it does not play"
                : "\(problem.count) content keys are missing, so that it does not play"
        case .gap: return "\(segments) of \(place) \(are(problem)) missing\(reason(problem.cause))"
        case .renditionLost where problem.rendition == nil: return problem.cause ?? ""
        case .renditionLost:
            return "\(label(problem, in: asset)) was given up: \(problem.cause ?? "it can't be fetched")"
        case .unknownMedia:
            return "\(segments) of \(place) \(oddity(problem))"
        }
    }

    /// Whether an imported folder has media that no player can decode; then there is no other source.
    package static func isOfFolder(_ asset: Asset) -> Bool {
        let problems = asset.health.problems.filter { $0.kind == .undecodable }
        return !problems.isEmpty && problems.allSatisfy { $0.advice == .none }
    }

    private static func oddity(_ problem: HealthProblem) -> String {
        switch problem.cause {
        case "other-pictures":
            return
                "\(problem.count == 1 ? "has" : "have") video of another codec than the segments around, or no video"
        case "short": return "\(are(problem)) much shorter at the origin than the playlist says"
        default:
            return "\(are(problem)) of a format that this program does not know; some players may play it"
        }
    }

    /// The number of its segments, or of its initialization sections, which have no start in the presentation.
    private static func units(_ problem: HealthProblem) -> String {
        let unit = problem.start == nil && problem.cause == nil ? "initialization section" : "segment"
        return problem.count == 1 ? "1 \(unit)" : "\(problem.count) \(unit)s"
    }

    private static func are(_ problem: HealthProblem) -> String { problem.count == 1 ? "is" : "are" }

    /// The causes of gaps in a recording; other gaps were in the stream.
    private static func reason(_ cause: String?) -> String {
        switch cause {
        case "window": ": they had left the playlist before they were seen"
        case "interrupted": ": the recording was interrupted"
        case "restarted": ": the encoder restarted"
        case "lost": ": the origin listed them but did not have them"
        case nil: " at the origin (EXT-X-GAP)"
        case let other?: ": \(other)"
        }
    }

    /// The command that solves a problem; `nil` if there is none.
    package static func advice(_ problem: HealthProblem, of asset: Asset) -> String? {
        let token = asset.token
        switch problem.advice {
        case .repair where problem.kind == .drifted:
            return "\(Remedy.acceptDrift(token)) fetches the whole asset again"
        case .repair: return "\(Remedy.repair(token)) fetches what is missing or damaged"
        case .resume: return "\(Remedy.resume(token)) continues the download"
        case .relink: return "\(Remedy.relink(token)) gives it a fresh address"
        case .licenseRenew where problem.kind == .licenseExpired:
            return "\(Remedy.renewLicense(token)) gets a new one"
        case .licenseRenew:
            return "\(Remedy.renewLicense(token)) asks for \(them(problem)) again, \(key(token))"
        case .addKey: return key(token)
        case .addTracks: return "\(Remedy.addTracks(token)) tries it again"
        case .none: return nil
        }
    }

    private static func them(_ problem: HealthProblem) -> String { problem.count == 1 ? "it" : "them" }

    private static func key(_ token: AssetToken) -> String {
        "\(Remedy.addNamedKey(token)) adds one that you have (`key list` shows its ID)"
    }

    /// `video-360p from 12 s on, 4 s`.
    private static func place(_ problem: HealthProblem, in asset: Asset) -> String {
        let name = name(problem, in: asset)
        guard let start = problem.start, let duration = problem.duration, duration > 0 else { return name }
        return "\(name) (\(seconds(duration)) from \(HumanUnits.duration(start)) on)"
    }

    /// `audio de`, by its language where it has one.
    package static func name(_ problem: HealthProblem, in asset: Asset) -> String {
        guard let id = problem.rendition else { return "the asset" }
        guard let rendition = asset.renditions.first(where: { $0.name == id }) else { return id }
        return RenditionName.text(rendition)
    }

    /// `audio de (Deutsch)`, by all that people know it by.
    private static func label(_ problem: HealthProblem, in asset: Asset) -> String {
        guard let rendition = asset.renditions.first(where: { $0.name == problem.rendition }) else {
            return name(problem, in: asset)
        }
        let name = rendition.title ?? rendition.name
        let facts = [
            RenditionName.language(rendition), rendition.resolution,
            name == rendition.language ? nil : name,
        ].compactMap(\.self)
        let rest = facts.dropFirst().joined(separator: ", ")
        return "\(rendition.kind.rawValue) \(facts[0])\(rest.isEmpty ? "" : " (\(rest))")".plainLine
    }

    /// Seconds as people say them: `28 s`, `0.5 s`.
    private static func seconds(_ seconds: Double) -> String {
        let (tenths, whole) = ((seconds * 10).rounded() / 10, seconds.rounded())
        guard whole < 60 else { return HumanUnits.duration(seconds) }
        return tenths < 10 && tenths != tenths.rounded() ? "\(tenths) s" : "\(Int(whole)) s"
    }
}

/// Renditions as people call them.
package enum RenditionName {
    /// `en` or `en (forced)`; `nil` without a language.
    package static func language(_ rendition: AssetRendition) -> String? {
        rendition.language.map { rendition.isForced ? "\($0) (forced)" : $0 }
    }

    /// `audio de`, `subtitles en (forced)`, or the name of its folder.
    package static func text(_ rendition: AssetRendition) -> String {
        guard rendition.kind != .variant, let language = language(rendition) else {
            return rendition.name
        }
        return "\(rendition.kind.rawValue) \(language)".plainLine
    }
}

extension AssetDocument {
    /// What is wrong with the asset, with advice.
    var problems: JSONValue {
        .array(
            asset.health.problems.map { problem in
                [
                    "kind": .string(problem.kind.rawValue), "rendition": JSONValue(problem.rendition),
                    "start": JSONValue(problem.start), "duration": JSONValue(problem.duration),
                    "count": JSONValue(problem.count),
                    "detail": .string(HealthReport.detail(problem, in: asset)),
                    "advice": .string(problem.advice.rawValue),
                ]
            })
    }
}
