extension LicenseTerms {
    /// The keys may be used for good.
    public static var purchase: LicenseTerms { LicenseTerms() }

    /// The keys may be used for some time.
    ///
    /// - Parameters:
    ///   - duration: how long from the request for the license on; whole seconds, at least one.
    ///   - playWindow: how long from the first play on; `nil` is no limit. The earlier limit binds.
    public static func rental(_ duration: Duration, playWindow: Duration? = nil) -> LicenseTerms {
        LicenseTerms(
            rental: duration.components.seconds, playWindow: playWindow.map(\.components.seconds))
    }
}
