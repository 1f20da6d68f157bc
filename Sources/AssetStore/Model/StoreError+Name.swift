extension StoreError.Code {
    /// The name of the code, for programs: what another process is told, and tells its user's shell.
    public var name: String {
        switch self {
        case .noSuchAsset: "no-such-asset"
        case .storeInUse: "store-in-use"
        case .storeTooNew: "store-too-new"
        case .file: "file"
        case .storeFolder: "store-folder"
        case .diskFull: "disk-full"
        case .tooManyFiles: "too-many-files"
        case .database: "database"
        case .invalidURL: "invalid-url"
        case .status: "status"
        case .transfer: "transfer"
        case .playlist: "playlist"
        case .ineligible: "ineligible"
        case .nothingSelected: "nothing-selected"
        case .key: "key"
        case .license: "license"
        case .integrity: "integrity"
        case .vault: "vault"
        case .wrongState: "wrong-state"
        case .notWhole: "not-whole"
        case .notEncrypted: "not-encrypted"
        case .notInSource: "not-in-source"
        case .imported: "imported"
        case .notImportable: "not-importable"
        case .notSameStream: "not-same-stream"
        case .noSuchRendition: "no-such-rendition"
        case .mainRendition: "main-rendition"
        case .streamChanged: "stream-changed"
        case .settings: "settings"
        case .unset: "unset"
        case .service: "service"
        case .stopped: "stopped"
        }
    }
}
