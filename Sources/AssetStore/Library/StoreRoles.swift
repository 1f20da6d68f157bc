/// The roles of a store, each with the parts that it needs. A class, since a copy of them all would be large.
final class StoreRoles: Sendable {
    let licenses: LicenseOffice
    let renewals: RenewalSchedule
    let retries: RetrySchedule
    let remover: AssetRemover
    let housekeeper: Housekeeper
    let repairer: AssetRepairer
    let intake: StreamIntake
    let imports: FolderImport
    let control: AssetControl
    let tracks: TrackEditor
    let sources: SourceEditor
    let media: MediaAccess
    let olderMedia: OlderMedia
    let damage: DamageLog
    let viewing: ViewingDesk

    init(_ parts: StoreParts) {
        let keySources = KeySources(
            catalog: parts.catalog, paths: parts.paths, vault: parts.vault, context: parts.context,
            providers: parts.providers)
        licenses = LicenseOffice(
            catalog: parts.catalog, paths: parts.paths, vault: parts.vault, clock: parts.clock,
            keys: parts.keys, sources: keySources, notices: parts.notices)
        renewals = RenewalSchedule(
            catalog: parts.catalog, clock: parts.clock, sources: keySources, notices: parts.notices,
            log: parts.log)
        remover = AssetRemover(
            catalog: parts.catalog, paths: parts.paths, disposer: parts.disposer, wall: parts.wall,
            log: parts.log)
        housekeeper = Self.housekeeper(parts, remover)
        let copier = FolderCopier(
            catalog: parts.catalog, paths: parts.paths, vault: parts.vault,
            committer: parts.context.committer)
        repairer = Self.repairer(parts, licenses: licenses, remover: remover, copier: copier)
        control = AssetControl(
            catalog: parts.catalog, paths: parts.paths, engine: parts.engine,
            recordings: parts.context.recordings, wall: parts.wall, returning: parts.returning,
            licenses: licenses, repairer: repairer, remover: remover, notices: parts.notices)
        retries = RetrySchedule(parts, control: control)
        intake = Self.intake(parts, licenses: licenses, renewals: renewals)
        imports = FolderImport(
            catalog: parts.catalog, vault: parts.vault, clock: parts.clock, wall: parts.wall,
            providers: parts.providers, copier: copier, intake: intake, licenses: licenses,
            remover: remover, notices: parts.notices)
        tracks = Self.tracks(parts, intake)
        sources = Self.sources(parts, intake: intake, control: control)
        media = MediaAccess(
            catalog: parts.catalog, reader: parts.reader, engine: parts.engine, context: parts.context,
            keys: parts.keys, plans: parts.plans, log: parts.log)
        olderMedia = OlderMedia(
            catalog: parts.catalog, paths: parts.paths, vault: parts.vault, wall: parts.wall,
            threads: StoreParts.readers)
        damage = DamageLog(
            catalog: parts.catalog, paths: parts.paths, discoveries: parts.reader.discoveries,
            wall: parts.wall, notices: parts.notices, log: parts.log)
        viewing = ViewingDesk(
            catalog: parts.catalog, reader: parts.reader, wall: parts.wall, log: parts.log)
    }

    private static func housekeeper(_ parts: StoreParts, _ remover: AssetRemover) -> Housekeeper {
        Housekeeper(
            catalog: parts.catalog, reader: parts.reader, keeper: parts.keeper, disposer: parts.disposer,
            remover: remover, returning: parts.returning, turns: parts.turns, engine: parts.engine,
            keys: parts.keys, wall: parts.wall, clock: parts.clock, notices: parts.notices,
            logsPlays: parts.logsPlays, log: parts.log)
    }

    private static func repairer(
        _ parts: StoreParts, licenses: LicenseOffice, remover: AssetRemover, copier: FolderCopier
    ) -> AssetRepairer {
        let imported = ImportedMedia(
            catalog: parts.catalog, copier: copier, keeper: parts.keeper, remover: remover,
            returning: parts.returning, turns: parts.turns, threads: StoreParts.readers)
        return AssetRepairer(
            catalog: parts.catalog, paths: parts.paths, reader: parts.reader, engine: parts.engine,
            wall: parts.wall,
            check: IntegrityCheck(
                catalog: parts.catalog, paths: parts.paths, vault: parts.vault, bucket: parts.bucket),
            imports: imported, returning: parts.returning, licenses: licenses, notices: parts.notices,
            threads: StoreParts.readers)
    }

    private static func intake(
        _ parts: StoreParts, licenses: LicenseOffice, renewals: RenewalSchedule
    ) -> StreamIntake {
        let survey = StreamSurvey(
            vault: parts.vault, clock: parts.clock, context: parts.context,
            providers: parts.providers, keeper: parts.keeper, licenses: licenses)
        return StreamIntake(
            catalog: parts.catalog, paths: parts.paths, vault: parts.vault, wall: parts.wall,
            engine: parts.engine, turns: parts.turns, survey: survey, licenses: licenses,
            renewals: renewals, notices: parts.notices, lookAtConnection: parts.context.network.look,
            log: parts.log)
    }

    private static func tracks(_ parts: StoreParts, _ intake: StreamIntake) -> TrackEditor {
        TrackEditor(
            catalog: parts.catalog, paths: parts.paths, vault: parts.vault, wall: parts.wall,
            clock: parts.clock, engine: parts.engine, turns: parts.turns, providers: parts.providers,
            disposer: parts.disposer, survey: intake.survey, intake: intake, notices: parts.notices)
    }

    private static func sources(
        _ parts: StoreParts, intake: StreamIntake, control: AssetControl
    ) -> SourceEditor {
        SourceEditor(
            catalog: parts.catalog, paths: parts.paths, vault: parts.vault, context: parts.context,
            engine: parts.engine, turns: parts.turns, relinker: parts.relinker,
            survey: intake.survey, intake: intake, control: control, notices: parts.notices)
    }
}
