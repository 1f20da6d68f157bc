internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// The options that say when and how fast an engine downloads.
struct PolicyOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Bytes per second for all downloads together (500k, 2M).", valueName: "r"))
    var limitRate: ByteRate?

    @Option(help: ArgumentHelp("Bytes per second from one origin.", valueName: "r"))
    var limitRatePerHost: ByteRate?

    @Option(
        help: ArgumentHelp(
            "Times of day at which downloads run, such as 22:00-06:00 or 22:00-06:00,12:00-13:30.",
            valueName: "times"))
    var schedule: ScheduleArgument?

    @Flag(help: "Download also on a metered connection (paid by volume).")
    var meteredOk = false

    /// Copies the given options into the configuration.
    func apply(to configuration: inout OfflineStore.Configuration) {
        configuration.rateLimit = limitRate?.bytesPerSecond
        configuration.rateLimitPerHost = limitRatePerHost?.bytesPerSecond
        configuration.schedule = schedule?.schedule
        configuration.mayUseMetered = meteredOk ? true : nil
    }
}

/// `22:00-06:00`, several of these with commas between them, or `always`.
struct ScheduleArgument: ExpressibleByArgument {
    var schedule: Schedule

    init?(argument: String) {
        guard let schedule = Schedule(argument) else { return nil }
        self.schedule = schedule
    }
}
