extension CatalogSchema {
    /// The results of checks of units (`UnitFinding`), with an index of the few that should be reported; the disguise
    /// that was removed from a rendition's segments; and the last reported health of assets.
    static let findings = """
        ALTER TABLE unit ADD COLUMN finding INTEGER;
        UPDATE unit SET finding = 102 WHERE state IN (2, 3);
        ALTER TABLE rendition ADD COLUMN disguise TEXT;
        ALTER TABLE asset ADD COLUMN health TEXT;
        CREATE INDEX unit_finding ON unit (rendition, kind, number) WHERE finding >= 100;
        """
}
