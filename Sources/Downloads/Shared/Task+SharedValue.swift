extension Task where Failure == Never {
    /// The task's result, for several waiters. If the waiting task is cancelled, so is this task.
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
