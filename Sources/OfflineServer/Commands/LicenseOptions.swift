internal import ArgumentParser
internal import AssetStore

/// On what terms the keys of an asset may be used.
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

/// A length of time as `30d`, `48h`, `90m`, `3600s` or `3600`, a second or longer.
struct TimeSpan: ExpressibleByArgument, Equatable {
    var seconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
        let unit = argument.last.flatMap { units[$0] }
        let digits = unit == nil ? argument : String(argument.dropLast())
        guard digits.allSatisfy(\.isASCII), let number = Int64(digits), number > 0 else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !overflow, LicenseTerms.limits.contains(product) else { return nil }
        seconds = product
    }

    /// Seconds in the largest unit that tells them exactly.
    static func text(_ seconds: Int64) -> String {
        let unit = [("d", Int64(86400)), ("h", 3600), ("m", 60)].first { seconds.isMultiple(of: $0.1) }
        return "\(seconds / (unit?.1 ?? 1))\(unit?.0 ?? "s")"
    }
}
