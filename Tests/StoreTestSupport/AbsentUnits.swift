package import StoreCatalog
package import StoreModel

extension UnitTable {
    /// Has units be gone that were stored, or be such that the origin has them no more.
    package func markAbsent(_ units: [(rendition: Int64, kind: UnitKind, number: Int)], as state: UnitState)
        throws
    {
        try markAbsent(
            units.map { AbsentRow(rendition: $0.rendition, kind: $0.kind, number: $0.number, finding: .gone) }
        )
        for unit in units {
            try write(.store) { session in
                try session.execute(
                    "UPDATE unit SET state = ? WHERE rendition = ? AND kind = ? AND number = ?",
                    [state.rawValue, unit.rendition, unit.kind.rawValue, unit.number])
            }
        }
    }
}
