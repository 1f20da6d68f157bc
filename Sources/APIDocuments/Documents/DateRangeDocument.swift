package import StoreReading

/// The date ranges of an asset as JSON.
package struct DateRangeDocument {
    private let ranges: [AssetDateRange]

    package init(ranges: [AssetDateRange]) { self.ranges = ranges }

    package var json: JSONValue {
        .array(
            ranges.map { range in
                [
                    "id": .string(range.id), "class": JSONValue(range.classAttribute),
                    "start": JSONValue(range.start), "end": JSONValue(range.end),
                    "attributes": .object(range.attributes.map { ($0.name, .string($0.value)) }),
                ]
            })
    }
}
