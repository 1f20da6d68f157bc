extension CatalogSchema {
    /// The results of looks at units (`UnitFinding`), with an index of those that people are to be told of, the wrapping
    /// that was taken off a rendition's segments, and the last health of assets that was told. Few units are in the index.
    static let findings = """
        ALTER TABLE unit ADD COLUMN finding INTEGER;
        UPDATE unit SET finding = 102 WHERE state IN (2, 3);
        ALTER TABLE rendition ADD COLUMN disguise TEXT;
        ALTER TABLE asset ADD COLUMN health TEXT;
        CREATE INDEX unit_finding ON unit (rendition, kind, number) WHERE finding >= 100;
        """
}
