package import SystemPackage

/// A unit whose bytes are all in its partial file.
package struct FinishedUnit: Sendable {
    package var file: PartialFile
    package var destination: FilePath
    package var unit: StoredUnit

    package init(file: PartialFile, destination: FilePath, unit: StoredUnit) {
        self.file = file
        self.destination = destination
        self.unit = unit
    }
    package var folder: FilePath { destination.removingLastComponent() }
}
