internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// The options for license terms.
struct LicenseOptions: ParsableArguments {
    @Flag(help: "Keep the license for good (default).")
    var purchase = false

    @Option(help: ArgumentHelp("Let the license end after this time (30d, 48h, 3600s).", valueName: "d"))
    var rental: TimeSpan?

    @Option(help: ArgumentHelp("Let the license end this long after the first play.", valueName: "d"))
    var playWindow: TimeSpan?

    func validate() throws {
        guard !purchase || rental == nil else {
            throw ValidationError("--purchase and --rental exclude each other.")
        }
    }

    /// The terms that the flags mean; `nil` without any.
    var given: LicenseTerms? {
        guard purchase || rental != nil || playWindow != nil else { return nil }
        return LicenseTerms(rental: rental?.seconds, playWindow: playWindow?.seconds)
    }
}

extension TimeSpan: ExpressibleByArgument {}
