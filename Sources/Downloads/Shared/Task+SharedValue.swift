extension Task where Failure == Never {
    /// The result, for several waiters of one run. When they are cancelled, so is this task: nobody wants it then.
    var sharedValue: Success {
        get async {
            await withTaskCancellationHandler {
                await value
            } onCancel: {
                cancel()
            }
        }
    }
}
