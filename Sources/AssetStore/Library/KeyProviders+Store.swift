internal import Transfers

extension KeyProviders {
    /// Makes the list of providers: those of the configuration, then those of the settings.
    init(
        _ configuration: OfflineStore.Configuration, settings: EngineSettings, loop: TransferLoop,
        paths: StorePaths
    ) {
        let clock = configuration.clock
        let configured = settings.keyProviders.map {
            ConfiguredKeyProvider(settings: $0, loop: loop, clock: clock)
        }
        self.init(
            list: configuration.keyProviders + configured,
            certificates: CertificateFolder(path: paths.certificates), now: { clock.now })
    }
}
