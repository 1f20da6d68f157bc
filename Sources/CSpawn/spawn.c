#define _GNU_SOURCE
#include "CSpawn.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct program {
    char *const *words;
    char *const *environment;
    int mask;
    // Its standard input, output and error if it has a session of its own; otherwise NULL.
    const int *ends;
    // The process with which it ends; 0 if it goes on by itself.
    pid_t leader;
    // The signals that it ignores.
    sigset_t ignored;
};

// The child calls only async-signal-safe functions: other threads may have held any lock when this process was
// forked.

// Ends the child, whose parent hears why.
static void fail(int teller) {
    int failure = errno;
    ssize_t written = write(teller, &failure, sizeof failure);
    _exit(written < 0 ? 126 : 127);
}

static void be_session(const int ends[3], int teller) {
    // Moves the descriptors away from the three that are replaced, and keeps them open until the program starts.
    int input = fcntl(ends[0], F_DUPFD, 3), output = fcntl(ends[1], F_DUPFD, 3), errors = fcntl(ends[2], F_DUPFD, 3);
    if (input < 0 || output < 0 || errors < 0) fail(teller);
    if (dup2(errors, 2) < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0) fail(teller);
    setsid();
}

static void set_signals(const sigset_t *ignored) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action = {.sa_handler = sigismember(ignored, number) == 1 ? SIG_IGN : SIG_DFL};
        // Fails for signals that can't be caught, and for those of the C library.
        sigaction(number, &action, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// Becomes the program; `teller` is closed then.
static void become(const struct program *program, int told) {
    int teller = fcntl(told, F_DUPFD_CLOEXEC, 3);
    if (teller < 0) fail(told);
    if (program->ends) be_session(program->ends, teller);
    if (program->leader) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail(teller);
        // It may have ended before.
        if (getppid() != program->leader) _exit(127);
    }
    if (teller != 3 && dup3(teller, 3, O_CLOEXEC) < 0) fail(teller);
    closefrom(4);
    if (program->mask >= 0) umask((mode_t)program->mask);
    set_signals(&program->ignored);
    execvpe(program->words[0], program->words, program->environment);
    fail(3);
}

// The error that the child reports; 0 after it became the program.
static int hear(int listener) {
    int failure = 0;
    ssize_t count;
    while ((count = read(listener, &failure, sizeof failure)) < 0 && errno == EINTR) {}
    return count == sizeof failure ? failure : 0;
}

static void wait_for(pid_t child, int *end) {
    while (waitpid(child, end, 0) < 0 && errno == EINTR) {}
}

static int start(const struct program *program, int *process) {
    if (!program->words[0]) return EINVAL;
    int told[2];
    if (pipe2(told, O_CLOEXEC) != 0) return errno;
    // No handler of ours is to run in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    int failure = child < 0 ? errno : 0;
    if (child == 0) become(program, told[1]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(told[1]);
    if (child > 0) {
        failure = hear(told[0]);
        if (failure != 0) wait_for(child, NULL);
    }
    close(told[0]);
    *process = child;
    return failure;
}

int cspawn_start(
    char *const words[], char *const environment[], int mask, int input, int output, int errors, int follows,
    int *process) {
    const int ends[3] = {input, output, errors};
    struct program program = {.words = words, .environment = environment, .mask = mask, .ends = ends};
    if (follows) program.leader = getpid();
    sigemptyset(&program.ignored);
    return start(&program, process);
}

static sigset_t ignored_by_caller(void) {
    sigset_t ignored;
    sigemptyset(&ignored);
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (number != SIGPIPE && sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            sigaddset(&ignored, number);
    }
    return ignored;
}

int cspawn_run(char *const words[], char *const environment[], int mask, int *end) {
    struct program program = {.words = words, .environment = environment, .mask = mask};
    program.ignored = ignored_by_caller();
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    int process;
    int failure = start(&program, &process);
    if (failure == 0) wait_for(process, end);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    return failure;
}
