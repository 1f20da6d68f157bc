internal import SystemPackage

extension StoreCheckup {
    /// Checks that the store key exists, opens all sealed data, and can be read by its owner only.
    static func storeKey(_ root: FilePath) -> Finding {
        let paths = StorePaths(root: root)
        let file = KeyVault.path(paths.storeKey)
        let catalog: Catalog?
        do throws(StoreError) {
            catalog = try Catalog(reading: paths.catalog)
        } catch {
            return unchecked(file)
        }
        do throws(StoreError) {
            guard let vault = try KeyVault.existing(paths.storeKey) else {
                return try absentKey(file, catalog, engine: StoreLock.holder(paths.lock))
            }
            if file == paths.storeKey, FileSystem.isOpenToOthers(file) {
                return keyFinding("\(file) can be read by others; `chmod 600 \(file)`")
            }
            let sealed = try catalog?.sealed.sealedKeys() ?? []
            return keyFinding(file, sealed, closed: sealed.filter { !vault.opens($0) })
        } catch {
            switch error.code {
            case .vault:
                return keyFinding(
                    "\(file) is not a key: a key has 32 bytes or 64 hexadecimal digits; \(StoreError.vaultAdvice)"
                )
            case .database: return unchecked(file)
            default: return keyFinding(error.message)
            }
        }
    }

    /// Another check reports errors of the catalog.
    private static func unchecked(_ file: FilePath) -> Finding {
        keyFinding("the catalog can't be read, so it is unknown which content keys \(file) opens")
    }

    private static func absentKey(
        _ file: FilePath, _ catalog: Catalog?, engine: EngineAddress?
    ) throws(StoreError) -> Finding {
        guard try catalog?.sealed.needsStoreKey() == true else { return keyFinding(nil, fine: "none yet") }
        guard engine == nil else {
            let text =
                "\(file) is missing; the running server has the key from its environment, or read the file before it was lost"
            return keyFinding(nil, fine: text)
        }
        return keyFinding(
            "\(file) is missing, and the catalog has secrets that are sealed with it; \(StoreError.vaultAdvice)"
        )
    }

    private static func keyFinding(
        _ file: FilePath, _ sealed: [SealedItem], closed: [SealedItem]
    ) -> Finding {
        guard closed.isEmpty else {
            let tokens = Set(closed.map(\.token)).sorted().map(\.description)
            let share = "\(sealed.count - closed.count) of \(sealed.count) content keys"
            // A key that opens something is the store's own key: there is no other one to restore.
            let advice = closed.count < sealed.count ? renewalAdvice : StoreError.vaultAdvice
            return keyFinding("\(file) opens \(share), not those of \(listed(tokens)); \(advice)")
        }
        return keyFinding(nil, fine: "\(file), which opens all content keys (\(sealed.count))")
    }

    private static var renewalAdvice: String {
        "\(Remedy.renewLicense) asks for these keys again, \(Remedy.addKey) adds one that you have; an asset whose key can't be obtained any more has to be downloaded again"
    }

    private static func keyFinding(_ problem: String?, fine: String = "") -> Finding {
        Finding(check: "store key", isFine: problem == nil, detail: problem ?? fine)
    }

    /// Names with commas between them: the first ones, and how many more there are.
    static func listed(_ names: [String]) -> String {
        let shown = names.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }
}
