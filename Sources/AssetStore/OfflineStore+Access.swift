extension OfflineStore {
    /// Changes how the origin of an asset is asked, from the next request on. A download that was refused goes on; nothing
    /// that is stored is fetched again.
    public func changeAccess(of token: AssetToken, _ edit: AccessEdit) async throws(StoreError) {
        guard !edit.isEmpty else { return }
        try await changing(token) { () async throws(StoreError) in
            guard let record = try catalog.assets.asset(token) else {
                throw StoreError(.noSuchAsset(token.description))
            }
            guard record.state != .removing else {
                throw StoreError(.wrongState(record.state, wanted: "changed"))
            }
            try setAccess(of: record, edit)
            if record.wasRefused {
                try catalog.renditions.forgive(token)
                try await perform(.resume, on: token)
            }
        }
        changed(token)
    }

    /// Keeps a change of how an origin is asked, also of an asset whose playlists have not been read yet.
    func setAccess(of record: AssetRecord, _ edit: AccessEdit) throws(StoreError) {
        try vault.setAccess(of: record, edit, in: catalog)
    }
}

extension AssetRecord {
    /// Whether it does not go on since its origin lets nobody in.
    fileprivate var wasRefused: Bool {
        if waitsForLink { return true }
        guard state == .failed, let error else { return false }
        return [ErrorClass.auth, .key].contains { $0.rawValue == error.errorClass }
    }
}
