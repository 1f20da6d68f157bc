internal import AssetStore
internal import Glibc
internal import HLSPlaylist
internal import Transfers

/// One error of each code, for the manual's reference.
enum ReferenceErrors {
    private static let asset = AssetToken("01JABCDEFGHJKMNPQRSTVWXYZ0")

    /// The errors, those of users' commands first.
    static let all: [StoreError] = requests + origins + stores

    private static let requests: [StoreError] = {
        guard let asset else { return [] }
        return [
            StoreError(.noSuchAsset("TOKEN")), StoreError(.invalidURL("stream.example/film")),
            StoreError(.leftOut([LeftOut(.audio, "fr", offered: ["en"])])),
            StoreError(.nothingSelected(wish: "audio language", offered: ["en", "de"])),
            StoreError(.clientIDTaken("order-7", asset)),
            StoreError(.wrongState(.complete, wanted: "cancelled")),
            StoreError(.wrongState(.removing, wanted: "paused")), StoreError(.notWhole(asset)),
            StoreError(.notEncrypted(asset)), StoreError(.notImportable("the folder has no master.m3u8")),
            StoreError(.notInSource("video/3.ts", others: 2)), StoreError(.imported(wanted: "given tracks")),
            StoreError(.noSuchRendition("audio-fr")), StoreError(.mainRendition("video-720p")),
            StoreError(.streamChanged("video-720p", of: asset)),
        ]
    }()

    private static let origins: [StoreError] = [
        StoreError(.status(404, retryAfter: nil), url: film),
        StoreError(.status(403, retryAfter: nil), url: film),
        StoreError(.status(503, retryAfter: 60), url: film),
        StoreError(.transfer(TransferFailure(TransferError(.connect, url: film)))),
        StoreError(.transfer(TransferFailure(TransferError(.timeout, url: film)))),
        StoreError(.transfer(TransferFailure(TransferError(.addressRefused, url: film)))),
        StoreError(.playlist(PlaylistError(code: .notAPlaylist, line: 1)), url: film),
        StoreError(.ineligible(.live)),
        StoreError(.ineligible(.drm(["Widevine"]))), StoreError(.ineligible(.nestedMultivariant)),
        StoreError(.ineligible(.empty)), StoreError(.ineligible(.unsupportedScheme("ftp"))),
        StoreError(.ineligible(.tooMuch)), StoreError(.ineligible(.encryptedRanges)),
        StoreError(.key(.missing)), StoreError(.key(.refused(403)), url: film),
        StoreError(.key(.html), url: film),
        StoreError(.key(.length(12))), StoreError(.key(.unprovided("acme"))),
        StoreError(.key(.declined(provider: "acme", status: 403))), StoreError(.key(.different)),
        StoreError(.key(.sealedForAnother)), StoreError(.integrity(.html)), StoreError(.integrity(.cutOff)),
        StoreError(.integrity(.hash)), StoreError(.integrity(.undecryptable)),
        StoreError(.integrity(.unrecognized)),
        StoreError(.notSameStream("video-720p")),
        StoreError(.service("/usr/local/bin/fresh-link", 1, said: "no session")),
    ]

    private static let stores: [StoreError] = [
        StoreError(.storeInUse(pid: 4711)), StoreError(.storeTooNew), StoreError(.noStore("/films")),
        StoreError(.storeFolder("/films", errno: EACCES)), StoreError(.diskFull("/films")),
        StoreError(.tooManyFiles("/films/catalog.db")),
        StoreError(
            .bucket(
                "https://s3.example is not available (status 503); check that server if this persists",
                isTemporary: true)),
        StoreError(.mediaElsewhere("s3://media/films/")),
        StoreError(.catalogElsewhere("postgresql://store@db.example/films")),
        StoreError(.foreignSecret("/films/store.key")), StoreError(.storeTakenOver),
        StoreError(.migrationUnfinished(from: "/films on films-1")),
        StoreError(
            .moved(
                to: "postgresql://store@db.example/films", isFinished: true,
                undo: "delete /films/migration.json")),
        StoreError(.notEmpty("s3://media/films/")), StoreError(.storeActive("http://films-1.example:8090")),
        StoreError(.file(.write, "/films/assets", errno: EIO)),
        StoreError(.database("disk I/O error", path: "/films/catalog.db")), StoreError(.vault),
        StoreError(.keyElsewhere("/films/store.key")), StoreError(.unset("the variable ACME_TOKEN")),
        StoreError(.stopped(.closing)),
    ]

    private static let film = "https://stream.example/film/master.m3u8"
}
