// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

// libFuzzer's runtime is linked for `make fuzz` only.
let isFuzzing = Context.environment["OFFLINE_SERVER_FUZZ"] != nil

let package = Package(
    name: "offline-server",
    products: [
        .library(name: "AssetStore", targets: ["AssetStore"]),
        .library(name: "HLSPlaylist", targets: ["HLSPlaylist"]),
        .library(name: "MediaContainers", targets: ["MediaContainers"]),
        .library(name: "OfflineServer", targets: ["OfflineServer"]),
        .library(name: "SidebandSubtitles", targets: ["SidebandSubtitles"]),
        .executable(name: "offline-server", targets: ["offline-server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // A command, `swift package generate-documentation`, which no build needs.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // The libraries that only some commands need are loaded when they are needed, not linked.
        .target(name: "CMicroHTTPD"),
        .target(name: "CCurl"),
        .target(name: "CPangoCairo"),
        .target(name: "CSpawn"),
        .target(name: "CCompression"),
        .target(name: "CPostgres"),

        .target(name: "Locking", swiftSettings: strict),
        .target(name: "ASCII", swiftSettings: strict),
        .target(name: "HLSPlaylist", dependencies: ["ASCII"], swiftSettings: strict),
        .target(
            name: "SidebandSubtitles", dependencies: ["ASCII", "MediaContainers"], swiftSettings: strict),
        .target(name: "MediaContainers", swiftSettings: strict),
        .target(name: "Languages", swiftSettings: strict),
        .target(
            name: "SubtitleRaster", dependencies: ["CPangoCairo", "Locking", "SidebandSubtitles"],
            swiftSettings: strict),
        .target(
            name: "Transfers",
            dependencies: ["CCurl", "Locking", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: strict),
        .target(
            name: "ObjectStorage",
            dependencies: [
                "ASCII", "Locking", "Transfers",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .target(name: "PostgresClient", dependencies: ["CPostgres"], swiftSettings: strict),
        .target(
            name: "HTTPDaemon",
            dependencies: [
                "ASCII", "CMicroHTTPD", "Locking", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        // The store, from its values up to the facade; each imports only what stands above it here.
        .target(
            name: "StoreModel",
            dependencies: [
                "ASCII",
                "HLSPlaylist",
                "Languages",
                "Locking",
                "MediaContainers",
                "SidebandSubtitles",
                "Transfers",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "StoreFiles",
            dependencies: [
                "ASCII",
                "CCompression",
                "CSpawn",
                "StoreModel",
                "HLSPlaylist",
                "Locking",
                "MediaContainers",
                "Transfers",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        // A node that stands by, before the active one.
        .target(
            name: "Forwarding",
            dependencies: [
                "HTTPDaemon", "Locking", "StoreFiles", "StoreModel", "Transfers",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "MediaDecryption",
            dependencies: [
                "StoreFiles",
                "StoreModel",
                "HLSPlaylist",
                "Locking",
                "MediaContainers",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "StoreCatalog",
            dependencies: [
                "PostgresClient",
                "StoreFiles",
                "StoreModel",
                "HLSPlaylist",
                "Locking",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "Licensing",
            dependencies: [
                "ASCII",
                "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "HLSPlaylist",
                "Locking",
                "Transfers",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "Downloads",
            dependencies: [
                "Licensing",
                "MediaDecryption",
                "ObjectStorage",
                "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "HLSPlaylist",
                "Locking",
                "MediaContainers",
                "SidebandSubtitles",
                "Transfers",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "AssetStore",
            dependencies: [
                "ASCII",
                "Downloads",
                "Licensing",
                "MediaDecryption",
                "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "HLSPlaylist",
                "Languages",
                "Locking",
                "MediaContainers",
                "SidebandSubtitles",
                "Transfers",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "AssetFiles",
            dependencies: [
                "ASCII", "AssetStore", "HLSPlaylist", "Languages", "Locking", "MediaContainers",
                "SidebandSubtitles",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "OfflineServer",
            dependencies: [
                "ASCII", "AssetFiles", "AssetStore", "Forwarding", "HLSPlaylist", "HTTPDaemon", "Languages",
                "Locking", "SidebandSubtitles", "SubtitleRaster",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Web/jsconfig.json"], resources: [.copy("Web/app")], swiftSettings: strict),
        .target(
            name: "OfflineServerCommands",
            dependencies: [
                "AssetStore", "HLSPlaylist", "HTTPDaemon", "Languages", "Locking", "ObjectStorage",
                "OfflineServer",
                "SidebandSubtitles", "Transfers",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            resources: [
                .copy("Resources/demo"), .copy("../../docs/tutorial.md"), .copy("../../docs/embedding.md"),
                .copy("../../docs/how-to"), .copy("../../docs/explanation"), .copy("../../docs/reference"),
            ], swiftSettings: strict),
        .executableTarget(
            name: "offline-server", dependencies: ["OfflineServerCommands"], swiftSettings: strict),

        // Programs of others, which see what is public; the tests run them.
        .executableTarget(
            name: "EmbeddedPlayer", dependencies: ["AssetStore", "OfflineServer"],
            path: "Examples/EmbeddedPlayer", packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "KeyProvider", dependencies: ["AssetStore"], path: "Examples/KeyProvider",
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "Subtitles", dependencies: ["SidebandSubtitles"], path: "Examples/Subtitles",
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "CustomRoutes", dependencies: ["AssetStore", "OfflineServer"],
            path: "Examples/CustomRoutes", packageAccess: false, swiftSettings: strict),

        // What tests share: an origin and media; playlists, errors and a clock; a whole store with its origin.
        .target(
            name: "TestSupport",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestSupport", resources: [.copy("Fixtures/encrypted")], swiftSettings: strict),
        .target(
            name: "ModelTestSupport", dependencies: ["HLSPlaylist", "Locking", "StoreModel", "TestSupport"],
            path: "Tests/ModelTestSupport", swiftSettings: strict),
        .target(
            name: "StoreTestSupport",
            dependencies: [
                "ASCII",
                "AssetStore",
                "Downloads",
                "Licensing",
                "Locking",
                "MediaDecryption",
                "ModelTestSupport",
                "ObjectStorage",
                "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/StoreTestSupport", swiftSettings: strict),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AssetStore", "Downloads", "Licensing", "MediaDecryption", "StoreCatalog", "StoreFiles",
                "StoreModel", "HLSPlaylist", "HTTPDaemon", "Locking", "MediaContainers", "OfflineServer",
                "SidebandSubtitles", "Transfers",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Fuzzing/Targets", swiftSettings: strict + (isFuzzing ? [.define("FUZZING")] : [])),
        .testTarget(name: "ASCIITests", dependencies: ["ASCII"], swiftSettings: strict),
        .testTarget(name: "LanguagesTests", dependencies: ["Languages"], swiftSettings: strict),
        .testTarget(name: "LockingTests", dependencies: ["Locking"], swiftSettings: strict),
        .testTarget(name: "FuzzingTests", dependencies: ["FuzzTargets"], swiftSettings: strict),
        .testTarget(
            name: "HLSPlaylistTests", dependencies: ["HLSPlaylist"],
            resources: [.copy("Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "SidebandSubtitlesTests", dependencies: ["SidebandSubtitles"],
            resources: [.copy("Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "MediaContainersTests", dependencies: ["Locking", "MediaContainers", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SubtitleRasterTests",
            dependencies: ["SidebandSubtitles", "SubtitleRaster", "TestSupport"],
            resources: [.copy("Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "TransfersTests", dependencies: ["Transfers", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ObjectStorageTests",
            dependencies: [
                "Locking", "ObjectStorage", "TestSupport", "Transfers",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPDaemonTests",
            dependencies: [
                "HTTPDaemon", "Locking", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ForwardingTests",
            dependencies: [
                "Forwarding", "HTTPDaemon", "Locking", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StoreModelTests",
            dependencies: [
                "HLSPlaylist",
                "Locking",
                "MediaContainers",
                "ModelTestSupport",
                "StoreModel",
                "TestSupport",
                "Transfers",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ], swiftSettings: strict),
        .testTarget(
            name: "StoreFilesTests",
            dependencies: [
                "AssetStore",
                "Downloads",
                "Licensing",
                "Locking",
                "MediaDecryption",
                "ModelTestSupport",
                "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "StoreTestSupport",
                "TestSupport",
                "Transfers",
                .product(name: "SystemPackage", package: "swift-system"),
            ], swiftSettings: strict),
        .testTarget(
            name: "StoreCatalogTests",
            dependencies: [
                "AssetStore",
                "Downloads",
                "HLSPlaylist",
                "Licensing",
                "Locking",
                "MediaDecryption",
                "ModelTestSupport",
                "SidebandSubtitles",
                "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "StoreTestSupport",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            resources: [.copy("Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "LicensingTests",
            dependencies: [
                "ASCII",
                "AssetStore",
                "Downloads",
                "HLSPlaylist",
                "Licensing",
                "Locking",
                "MediaDecryption",
                "ModelTestSupport",
                "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "StoreTestSupport",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ], swiftSettings: strict),
        .testTarget(
            name: "MediaDecryptionTests",
            dependencies: [
                "ASCII",
                "AssetStore",
                "Downloads",
                "HLSPlaylist",
                "Licensing",
                "Locking",
                "MediaDecryption",
                "ModelTestSupport",
                "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "StoreTestSupport",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ], swiftSettings: strict),
        .testTarget(
            name: "DownloadsTests",
            dependencies: [
                "AssetStore",
                "Downloads",
                "HLSPlaylist",
                "Licensing",
                "Locking",
                "MediaDecryption",
                "ModelTestSupport",
                "SidebandSubtitles",
                "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "StoreTestSupport",
                "TestSupport",
                "Transfers",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SystemPackage", package: "swift-system"),
            ], swiftSettings: strict),
        .testTarget(
            name: "AssetStoreTests",
            dependencies: [
                "ASCII",
                "AssetStore",
                "Downloads",
                "HLSPlaylist",
                "Licensing",
                "Locking",
                "MediaDecryption",
                "ModelTestSupport",
                "ObjectStorage",
                "SidebandSubtitles",
                "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "StoreTestSupport",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ], swiftSettings: strict),
        .testTarget(
            name: "AssetFilesTests",
            dependencies: [
                "AssetFiles", "AssetStore", "MediaContainers", "StoreTestSupport", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ], swiftSettings: strict),
        .testTarget(
            name: "OfflineServerTests",
            dependencies: [
                "AssetFiles", "AssetStore", "Downloads", "Licensing", "MediaDecryption", "StoreCatalog",
                "StoreFiles",
                "StoreModel",
                "HTTPDaemon", "Locking", "ObjectStorage", "OfflineServer", "OfflineServerCommands",
                "SidebandSubtitles", "TestSupport", "Transfers", "offline-server",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests", dependencies: ["TestSupport", "offline-server"], path: "Tests/EndToEnd",
            exclude: ["Support"], swiftSettings: strict),
    ]
)

if isFuzzing {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Fuzzing/CLibFuzzer"),
        .executableTarget(
            name: "Fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], path: "Fuzzing/Driver",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ]
}
