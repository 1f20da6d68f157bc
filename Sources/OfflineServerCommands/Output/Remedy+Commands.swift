internal import AssetStore

extension Remedy {
    /// The commands and options for this step. `%` stands for the asset's token.
    var asCommand: String { Self.commands[self] ?? rawValue }

    static let commands: [Remedy: String] = [
        .otherStore: "choose another store with --store",
        .otherFolder: "choose another folder with --store",
        .existingStore: "check --store and $OFFLINE_SERVER_STORE; the first download makes one there",
        .newerProgram: "update offline-server",
        .environment: "set it where the engine is started (`systemctl edit offline-server`)",
        .nameBucket:
            "write `media` into config.json (`offline-server help s3`), or start the engine with --media",
        .nameCatalog: "start the engine with --catalog",
        .checkStore: "check the disk and look at `offline-server doctor`",
        .listAssets: "`offline-server list`",
        .lookAtAsset: "`offline-server status %`",
        .lookAtTracks: "`offline-server tracks %`",
        .lookAtStorage: "`offline-server storage`",
        .lookAtKeys: "`offline-server key list`",
        .lookAtStream: "`offline-server probe`",
        .lookAtPlayability: "`offline-server playable`",
        .download: "`offline-server download` with its token",
        .verify: "`offline-server verify`",
        .repair: "`offline-server repair %`",
        .resume: "`offline-server resume %`",
        .acceptChanges: "`offline-server resume % --accept-changes`",
        .acceptDrift: "`offline-server repair % --accept-changes`",
        .relink: "`offline-server relink % URL`",
        .addTracks: "`offline-server add-tracks %`",
        .remove: "`offline-server remove %`",
        .remakeDemo: "`offline-server remove` it and let `serve --demo` make it again",
        .exportParts: "`offline-server export % FILE --parts`",
        .exportStream: "`offline-server export % FILE.ts`",
        .importFolder: "`offline-server import`",
        .prune: "`offline-server storage prune`",
        .prioritize: "`offline-server prioritize`",
        .runEngine: "`offline-server serve` or `offline-server download %`",
        .renewLicense: "`offline-server license renew %`",
        .addKey: "`offline-server key add %`",
        .addNamedKey: "`offline-server key add % ID:KEY`",
        .giveUpKey: "`offline-server key give-up --confirm`",
        .sealedExport: "with --keys-for and what `key public` prints here",
        .sealedExportElsewhere: "`export --keys-for`",
        .openExport: "--with-keys",
        .credentials:
            "--header (--header-for HOST where that is not the stream's own host), --cookie-jar or a fresh URL",
        .relinkCredentials:
            "`offline-server relink % URL` takes a fresh URL, and --header, --header-for HOST or --cookie-jar for a fresh or the same one",
        .renewCredentials:
            "`license renew` takes --header, --header-for HOST, --cookie-jar, and a fresh URL with --via-url",
        .authority: "with --ca FILE",
        .leaveStrict: "leave out --strict",
        .record: "--live",
        .shorterRecording: "with --duration",
        .allowMissingKeys: "--allow-missing-key",
        .fewerRenditions: "--audio and --subtitles, and without --all-variants",
        .leaveTrickPlay: "leave out --trick-play",
        .allowMetered: "`serve --metered-ok`, or `offline-server settings metered_ok=true`",
        .raiseQuota:
            "start `serve` with a larger --quota; without that option it uses storage.quota in config.json and reads it again on SIGHUP",
    ]
}
