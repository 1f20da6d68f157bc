// Preloaded into the server: file operations below FAULT_ROOT fail by chance, 1 in FAULT_ONE_IN, with ENOSPC, EIO or
// a short write; each is told in `faults.log` beside FAULT_ROOT. A file `faults-off` there ends it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static atomic_uint_fast64_t state;

static unsigned chance(void) {
    uint64_t x = atomic_fetch_add(&state, 0x9E3779B97F4A7C15ull);
    if (x == 0) x = (uint64_t)getpid() * 0x2545F4914F6CDD1Dull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return (unsigned)((x ^ (x >> 31)) >> 16);
}

static int is_on(void) {
    const char *root = getenv("FAULT_ROOT");
    char path[PATH_MAX];
    if (!root || snprintf(path, sizeof path, "%s/../faults-off", root) >= (int)sizeof path) return 0;
    return access(path, F_OK) != 0;
}

static int is_below(const char *path) {
    const char *root = getenv("FAULT_ROOT");
    return root && path && strncmp(path, root, strlen(root)) == 0;
}

static int is_file_below(int descriptor) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static void tell(const char *call) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/../faults.log", getenv("FAULT_ROOT")) >= (int)sizeof path) return;
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0) return;
    dprintf(log, "%s\n", call);
    close(log);
}

static int fails(const char *call, int concerns) {
    const char *one_in = getenv("FAULT_ONE_IN");
    if (!concerns || !one_in || chance() % (unsigned)(atoi(one_in) + 1) != 0 || !is_on()) return 0;
    tell(call);
    errno = chance() % 2 ? ENOSPC : EIO;
    return 1;
}

#define NEXT(name) \
    static __typeof__(&name) next; \
    if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    NEXT(pwrite64);
    if (fails("pwrite64", is_file_below(descriptor))) {
        if (chance() % 2 || count < 2) return -1;
        return next(descriptor, bytes, count / 2, offset);
    }
    return next(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    NEXT(write);
    return fails("write", descriptor > 2 && is_file_below(descriptor)) ? -1 : next(descriptor, bytes, count);
}

int fsync(int descriptor) {
    NEXT(fsync);
    return fails("fsync", is_file_below(descriptor)) ? -1 : next(descriptor);
}

int fdatasync(int descriptor) {
    NEXT(fdatasync);
    return fails("fdatasync", is_file_below(descriptor)) ? -1 : next(descriptor);
}

int rename(const char *from, const char *to) {
    NEXT(rename);
    return fails("rename", is_below(to)) ? -1 : next(from, to);
}

int ftruncate64(int descriptor, off64_t length) {
    NEXT(ftruncate64);
    return fails("ftruncate64", is_file_below(descriptor)) ? -1 : next(descriptor, length);
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

int mkdir(const char *path, mode_t mode) {
    NEXT(mkdir);
    return fails("mkdir", is_below(path)) ? -1 : next(path, mode);
}
