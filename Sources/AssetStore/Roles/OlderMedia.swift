internal import Locking
internal import SystemPackage

/// Checks media that an older version has stored unchecked, so that `playable` is right for them, too.
struct OlderMedia: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let vault: KeyVault
    let wall: any WallClock
    let threads: WorkPool

    /// Checks one asset after the other until all are known. After each asset it pauses four times as long as the
    /// check took, 60 s at most, since nobody waits for the result.
    func run() async {
        while let token = next(), !Task.isCancelled {
            let start = SteadyClock.seconds
            await look(at: token)
            let rest = min(60, 4 * (SteadyClock.seconds - start))
            guard (try? await Task.sleep(for: .seconds(rest))) != nil else { return }
        }
    }

    private func next() -> AssetToken? { (try? catalog.health.firstWithoutHealth()) ?? nil }

    private func look(at token: AssetToken) async {
        do throws(StoreError) {
            let findings = try await threads.runWhileWanted { isWanted throws(StoreError) in
                try self.findings(of: token, while: isWanted)
            }
            let now = wall.now
            for (finding, units) in Dictionary(grouping: findings, by: \.finding) {
                try catalog.health.setFinding(finding, of: units.map(\.unit), token, at: now)
            }
            try catalog.health.noteHealth(of: token, at: now)
        } catch {
            // Files that can't be read now are left to `verify`, so that the next assets are checked.
            try? catalog.health.skipHealth(of: token)
        }
    }

    private func findings(
        of token: AssetToken, while isWanted: () -> Bool
    ) throws(StoreError) -> [StoredInspection.Finding] {
        let looks = UnitInspectors(token, catalog: catalog, paths: paths, vault: vault)
        var findings: [StoredInspection.Finding] = []
        for row in try catalog.renditions.all(of: [token])[token] ?? [] where row.failure == nil {
            for unit in try catalog.units.all(of: row.id, states: [.stored]) where unit.finding == nil {
                guard isWanted() else { throw StoreError(.stopped(.cancelled)) }
                let job = UnitJob(unit: unit, rendition: row)
                let path = try paths.file(of: job.id, token, named: job.fileName)
                let inspector = try looks.inspector(of: job)
                // Checks of files will find the missing one.
                guard let finding = try? inspector.finding(in: path) else { continue }
                findings.append(StoredInspection.Finding(job, finding))
            }
        }
        return findings
    }
}
