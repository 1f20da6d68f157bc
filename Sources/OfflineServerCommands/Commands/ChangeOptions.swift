internal import ArgumentParser

/// The option for an asset whose origin has another stream now.
struct ChangeOptions: ParsableArguments {
    @Flag(
        help:
            "If the origin has another stream now, throw away the stored one and fetch the new one in its place."
    )
    var acceptChanges = false
}
