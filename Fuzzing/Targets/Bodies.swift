#if DEBUG || FUZZING
    internal import AssetStore
    @testable internal import APIDocuments
    @testable internal import OfflineServer

    /// Bodies of requests, except those that add downloads.
    enum Bodies {
        static func check(_ bytes: [UInt8]) throws(Finding) {
            try checkControl(bytes)
            let edit: EditBody? = JSONBody.decode(bytes)
            let folder: ImportBody? = JSONBody.decode(bytes)
            _ = (edit?.edit, folder?.selection)
            let repair: RepairBody? = JSONBody.decode(bytes)
            let prune: PruneBody? = JSONBody.decode(bytes)
            let settings: SettingsBody? = JSONBody.decode(bytes)
            _ = (repair, prune, settings?.applied(to: EnginePolicy()))
            let link: RelinkBody? = JSONBody.decode(bytes)
            let key: KeyBody? = JSONBody.decode(bytes)
            _ = (link?.url, key?.key)
            guard let license: ClearKeyRequest = JSONBody.decode(bytes) else { return }
            for identifier in license.kids.compactMap(Base64URL.bytes) {
                try Finding.expect(
                    Base64URL.bytes(Base64URL.text(identifier)) == identifier,
                    "an identifier reads as it was written")
            }
        }

        private static func checkControl(_ bytes: [UInt8]) throws(Finding) {
            let cancel: CancelBody? = JSONBody.decode(bytes)
            let control: ControlBody? = JSONBody.decode(bytes)
            _ = cancel?.purge
            for text in control?.tokens ?? [] {
                guard let token = try? TokenArgument.parse(text) else { continue }
                try Finding.expect(
                    token.description.uppercased() == text.uppercased(), "an asset that is named is meant")
            }
        }
    }
#endif
