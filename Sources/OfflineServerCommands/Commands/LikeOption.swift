internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// An asset whose terms a new download takes over.
struct LikeOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use the selection, license terms, limits and metadata of this asset, but no secrets. Options of this command take precedence.",
            valueName: "token"))
    var like: String?

    /// The request of an existing asset, for the address of another stream.
    ///
    /// - Parameters:
    ///   - given: the request that the other options describe.
    ///   - license: the terms of the other options; `nil` if they name none.
    func apply(to given: AssetRequest, license: LicenseTerms?, _ global: GlobalOptions) throws -> AssetRequest
    {
        guard let like else { return given }
        let former = try global.reader().request(for: TokenArgument.sole(like))
        var request = given
        request.selection = given.selection.over(former.selection)
        request.license = license ?? former.license
        request.meta = former.meta.merging(given.meta) { $1 }
        request.tags = given.tags ?? former.tags
        if given.priority == 0 { request.priority = former.priority }
        request.schedule = given.schedule ?? former.schedule
        request.isMeteredOK = given.isMeteredOK || former.isMeteredOK
        request.allowsMissingKeys = given.allowsMissingKeys || former.allowsMissingKeys
        request.isStrict = given.isStrict ?? former.isStrict
        request.access.userAgent = given.access.userAgent ?? former.access.userAgent
        request.access.proxy = given.access.proxy ?? former.access.proxy
        request.access.certificateAuthority =
            given.access.certificateAuthority ?? former.access.certificateAuthority
        request.access.rateLimit = given.access.rateLimit ?? former.access.rateLimit
        return request
    }
}

extension Selection {
    /// This selection, with the other selection's values where this one has the default. A part of a presentation is
    /// not copied: it fits one stream only.
    fileprivate func over(_ former: Selection) -> Selection {
        var selection = self
        if !namesVariants {
            (selection.allVariants, selection.maximumHeight) = (former.allVariants, former.maximumHeight)
            (selection.maximumBitrate, selection.minimumBitrate) = (
                former.maximumBitrate, former.minimumBitrate
            )
        }
        if audio == .automatic { selection.audio = former.audio }
        if subtitles == .automatic { selection.subtitles = former.subtitles }
        selection.trickPlay = trickPlay || former.trickPlay
        selection.interstitials = interstitials ?? former.interstitials
        selection.recording = recording ?? former.recording
        return selection
    }
}
