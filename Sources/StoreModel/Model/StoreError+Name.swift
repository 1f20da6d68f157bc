extension StoreError.Code {
    /// The name of the code for programs: other processes and scripts see it.
    public var name: String {
        switch self {
        case .noSuchAsset: "no-such-asset"
        case .storeInUse: "store-in-use"
        case .storeTooNew: "store-too-new"
        case .file: "file"
        case .noStore: "no-store"
        case .storeFolder: "store-folder"
        case .diskFull: "disk-full"
        case .tooManyFiles: "too-many-files"
        case .bucket: "bucket"
        case .database: "database"
        case .invalidURL: "invalid-url"
        case .status: "status"
        case .transfer: "transfer"
        case .playlist: "playlist"
        case .ineligible: "ineligible"
        case .nothingSelected: "nothing-selected"
        case .leftOut: "left-out"
        case .clientIDTaken: "client-id-taken"
        case .key: "key"
        case .license: "license"
        case .integrity: "integrity"
        case .vault: "vault"
        case .keyElsewhere: "key-elsewhere"
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
        case .unreadableRecording: "unreadable-recording"
        case .settings: "settings"
        case .unset: "unset"
        case .service: "service"
        case .stopped: "stopped"
        case .mediaElsewhere, .catalogElsewhere, .foreignSecret, .migrationUnfinished, .moved, .notEmpty,
            .storeActive, .storeTakenOver:
            placeName
        }
    }

    /// The names of the codes about the place of a store.
    private var placeName: String {
        switch self {
        case .mediaElsewhere: "media-elsewhere"
        case .catalogElsewhere: "catalog-elsewhere"
        case .foreignSecret: "foreign-secret"
        case .migrationUnfinished: "migration-unfinished"
        case .moved: "moved"
        case .notEmpty: "not-empty"
        case .storeActive: "store-active"
        case .storeTakenOver: "store-taken-over"
        default: ""
        }
    }
}
