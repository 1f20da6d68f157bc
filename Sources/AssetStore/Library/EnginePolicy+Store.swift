package import SystemPackage

extension EngineSettings {
    /// The policy that an engine would have if it started on the store now.
    ///
    /// - Throws: `settings` when the store's settings can't be read.
    package static func policy(in root: FilePath) throws(StoreError) -> EnginePolicy {
        EnginePolicy(try read(StorePaths(root: root).settings), OfflineStore.Configuration())
    }
}

extension EnginePolicy {
    /// Makes the policy of a store's settings and of the configuration, which counts more.
    init(_ settings: EngineSettings, _ given: OfflineStore.Configuration) {
        self.init()
        maximumDownloads = given.maximumDownloads ?? settings.maximumDownloads ?? maximumDownloads
        transfersPerAsset = given.transfersPerAsset ?? settings.transfersPerAsset ?? transfersPerAsset
        meteredInterfaces = settings.meteredInterfaces
        rateLimit = given.rateLimit ?? settings.rateLimit
        rateLimitPerHost = given.rateLimitPerHost ?? settings.rateLimitPerHost
        schedule = given.schedule ?? settings.schedule ?? .always
        mayUseMetered = given.mayUseMetered ?? settings.mayUseMetered ?? false
    }
}
