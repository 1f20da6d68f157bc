internal import ArgumentParser
internal import AssetStore

/// How fast, and over what connection, an asset's media are downloaded.
struct TransferOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Bytes per second for all transfers of an asset (500k, 2M).", valueName: "r"))
    var limitRate: ByteRate?

    @Flag(help: "Download it also while the connection costs by volume.")
    var meteredOk = false

    /// Hands over what was given. How the origin is asked must be in the request already.
    func apply(to request: inout AssetRequest) {
        request.access.rateLimit = limitRate?.bytesPerSecond
        request.isMeteredOK = meteredOk
    }
}
