internal import ArgumentParser
internal import AssetStore

/// The options for the rate and the connection of an asset's download.
struct TransferOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Bytes per second for all transfers of an asset (500k, 2M).", valueName: "r"))
    var limitRate: ByteRate?

    @Flag(help: "Download it also on a metered connection (paid by volume).")
    var meteredOk = false

    /// Copies the given options into the request. The request must have its access to the origin already.
    func apply(to request: inout AssetRequest) {
        request.access.rateLimit = limitRate?.bytesPerSecond
        request.isMeteredOK = meteredOk
    }
}
