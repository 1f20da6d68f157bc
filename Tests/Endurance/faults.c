// Preloaded into the server: file operations below FAULT_ROOT fail by chance, 1 in FAULT_ONE_IN (reads and checks 1
// in ten times as many, rare operations 1 in a fifth), with ENOSPC, EIO, EMFILE or a short write. Each failure is a
// line of the file `faults.log` in FAULT_FOLDER: the call, the kind of file, the error. A file `faults-off` there
// ends them. The bytes of a failed flush are lost: zeros replace them; in files that others read while they arrive
// (`.part`), only when they are flushed again or renamed, as a cache keeps them for a while.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define NEXT(name) \
    static __typeof__(&name) next; \
    if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static atomic_uint_fast64_t state;

// Each process has a series of its own: faults come at other places of every start.
__attribute__((constructor)) static void begin(void) {
    atomic_store(&state, (uint64_t)getpid() * 0x2545F4914F6CDD1Dull);
}

static unsigned chance(void) {
    uint64_t x = atomic_fetch_add(&state, 0x9E3779B97F4A7C15ull);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return (unsigned)((x ^ (x >> 31)) >> 16);
}

static int real_open(const char *path, int flags, mode_t mode) {
    NEXT(open);
    return next(path, flags, mode);
}

static int real_stat(const char *path, struct stat *info) {
    NEXT(stat);
    return next(path, info);
}

static int is_on(void) {
    const char *folder = getenv("FAULT_FOLDER");
    char path[PATH_MAX];
    if (!folder || snprintf(path, sizeof path, "%s/faults-off", folder) >= (int)sizeof path) return 0;
    return access(path, F_OK) != 0;
}

// A path below FAULT_ROOT; of others nothing.
static const char *below(const char *path) {
    const char *root = getenv("FAULT_ROOT");
    return root && path && strncmp(path, root, strlen(root)) == 0 ? path : NULL;
}

// The same of an open file; `path` has room for it.
static const char *file_below(int descriptor, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    int before = errno;
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    errno = before;
    if (length <= 0) return NULL;
    path[length] = 0;
    return below(path);
}

static const char *at_below(int folder, const char *name, char path[PATH_MAX]) {
    if (!name || *name == '/' || folder == AT_FDCWD) return below(name);
    if (!file_below(folder, path)) return NULL;
    size_t length = strlen(path);
    snprintf(path + length, PATH_MAX - length, "/%s", name);
    return path;
}

static int is_folder(const char *path) {
    struct stat info;
    int before = errno, is = real_stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    errno = before;
    return is;
}

static int ends_with(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

static const char *kind(const char *call, const char *path) {
    if (ends_with(path, "/catalog.db")) return "catalog.db";
    if (ends_with(path, "/catalog.db-wal")) return "catalog.db-wal";
    if (ends_with(path, ".part")) return "part";
    if (strcmp(call, "mkdir") == 0 || is_folder(path)) return "folder";
    return strstr(path, "/assets/") ? "media" : "other";
}

static void tell(const char *call, const char *file, const char *how) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/faults.log", getenv("FAULT_FOLDER")) >= (int)sizeof path) return;
    int log = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0) return;
    dprintf(log, "%s %s %s\n", call, kind(call, file), how);
    close(log);
}

// How rarely a call fails, in tenths of what is usual.
enum { SELDOM_DONE = 2, USUAL = 10, READING = 100 };

static int is_hit(unsigned rarity, const char *file) {
    const char *one_in = getenv("FAULT_ONE_IN");
    return file && one_in && chance() % ((unsigned)atoi(one_in) * rarity / 10 + 1) == 0 && is_on();
}

static int failed(const char *call, const char *file, int error) {
    tell(call, file, error == EIO ? "EIO" : error == EMFILE ? "EMFILE" : "ENOSPC");
    errno = error;
    return 1;
}

static int fails_at(const char *call, unsigned rarity, const char *file) {
    return is_hit(rarity, file) && failed(call, file, chance() % 2 ? ENOSPC : EIO);
}

static int fails(const char *call, const char *file) { return fails_at(call, USUAL, file); }

// What room has nothing to do with.
static int breaks(const char *call, unsigned rarity, const char *file) {
    return is_hit(rarity, file) && failed(call, file, EIO);
}

// Opening what is there: there is room for one more file, or not.
static int stays_shut(const char *call, const char *file) {
    return is_hit(READING, file) && failed(call, file, chance() % 2 ? EMFILE : EIO);
}

// Writing: it fails, or only half of `count` is to be written.
static int write_fails(const char *call, unsigned rarity, const char *file, size_t *count) {
    if (!is_hit(rarity, file)) return 0;
    if (chance() % 2 || *count < 2) return failed(call, file, chance() % 2 ? ENOSPC : EIO);
    *count /= 2;
    tell(call, file, "short");
    return 0;
}

// What was written to a file since it was last flushed, over all of its descriptors.
struct range { off64_t from, to; };
struct dirty {
    dev_t device;
    ino_t inode;
    size_t count, room;
    size_t lost;  // The first ranges, which a flush did not take.
    struct range *ranges;
    struct dirty *next;
};
static struct dirty *files;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Takes what is known of a file out of the list; whoever gets it frees it.
static struct dirty *taken(const struct stat *info) {
    for (struct dirty **at = &files; *at; at = &(*at)->next) {
        struct dirty *file = *at;
        if (file->inode != info->st_ino || file->device != info->st_dev) continue;
        *at = file->next;
        return file;
    }
    return NULL;
}

static void discard(struct dirty *file) {
    if (file) free(file->ranges);
    free(file);
}

static void note(int descriptor, off64_t from, ssize_t count) {
    struct stat info;
    if (count <= 0 || fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return;
    pthread_mutex_lock(&lock);
    struct dirty *file = taken(&info);
    if (!file && (file = calloc(1, sizeof *file))) file->device = info.st_dev, file->inode = info.st_ino;
    if (file) {
        struct range *last = file->count > file->lost ? &file->ranges[file->count - 1] : NULL;
        if (last && last->to == from) {
            last->to += count;
        } else {
            if (file->count == file->room) {
                size_t room = file->room * 2 + 8;
                struct range *more = realloc(file->ranges, room * sizeof *more);
                if (more) file->ranges = more, file->room = room;
            }
            if (file->count < file->room) file->ranges[file->count++] = (struct range){from, from + count};
        }
        file->next = files;
        files = file;
    }
    pthread_mutex_unlock(&lock);
}

static struct dirty *forgotten(int descriptor) {
    struct stat info;
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return NULL;
    pthread_mutex_lock(&lock);
    struct dirty *file = taken(&info);
    pthread_mutex_unlock(&lock);
    return file;
}

static ssize_t real_pwrite(int descriptor, const void *bytes, size_t count, off64_t offset) {
    NEXT(pwrite64);
    return next(descriptor, bytes, count, offset);
}

// Zeros in the place of the first ranges of what was not flushed, as far as the file still reaches.
static void drop(int descriptor, struct dirty *file, size_t count) {
    static const char zeros[1 << 16];
    int before = errno;
    struct stat info;
    if (file && fstat(descriptor, &info) == 0) {
        for (size_t i = 0; i < count; i++) {
            off64_t at = file->ranges[i].from, to = file->ranges[i].to;
            if (to > info.st_size) to = info.st_size;
            while (at < to) {
                size_t count = to - at < (off64_t)sizeof zeros ? (size_t)(to - at) : sizeof zeros;
                if (real_pwrite(descriptor, zeros, count, at) <= 0) break;
                at += count;
            }
        }
    }
    discard(file);
    errno = before;
}

static int is_arriving(int descriptor) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    return length > 5 && strncmp(path + length - 5, ".part", 5) == 0;
}

// A flush that fails.
static void lose(int descriptor) {
    int before = errno;
    struct stat info;
    if (!is_arriving(descriptor)) {
        struct dirty *file = forgotten(descriptor);
        drop(descriptor, file, file ? file->count : 0);
    } else if (fstat(descriptor, &info) == 0) {
        pthread_mutex_lock(&lock);
        struct dirty *file = taken(&info);
        if (file) file->lost = file->count, file->next = files, files = file;
        pthread_mutex_unlock(&lock);
    }
    errno = before;
}

// A flush that works, or what comes after it: what was lost shows.
static void show(int descriptor) {
    struct dirty *file = forgotten(descriptor);
    drop(descriptor, file, file ? file->lost : 0);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    char path[PATH_MAX];
    const char *file = file_below(descriptor, path);
    if (write_fails("pwrite", USUAL, file, &count)) return -1;
    ssize_t done = real_pwrite(descriptor, bytes, count, offset);
    if (file) note(descriptor, offset, done);
    return done;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    NEXT(write);
    char path[PATH_MAX];
    const char *file = descriptor > 2 ? file_below(descriptor, path) : NULL;
    if (!file) return next(descriptor, bytes, count);
    if (write_fails("write", SELDOM_DONE, file, &count)) return -1;
    off64_t from = lseek64(descriptor, 0, SEEK_CUR);
    ssize_t done = next(descriptor, bytes, count);
    if (from >= 0) note(descriptor, from, done);
    return done;
}

static int flush(const char *call, int (*next)(int), int descriptor) {
    char path[PATH_MAX];
    const char *file = file_below(descriptor, path);
    if (!file) return next(descriptor);
    if (fails(call, file)) {
        lose(descriptor);
        return -1;
    }
    show(descriptor);
    return next(descriptor);
}

int fsync(int descriptor) {
    NEXT(fsync);
    return flush("fsync", next, descriptor);
}

int fdatasync(int descriptor) {
    NEXT(fdatasync);
    return flush("fdatasync", next, descriptor);
}

// A file that is empty has nothing to lose, whichever file had its place before.
static int opened(int descriptor) {
    struct stat info;
    int before = errno;
    if (descriptor >= 0 && fstat(descriptor, &info) == 0 && info.st_size == 0) discard(forgotten(descriptor));
    errno = before;
    return descriptor;
}

static int create(const char *path, int flags, mode_t mode) {
    return fails("open", below(path)) ? -1 : opened(real_open(path, flags, mode));
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list more; \
        va_start(more, flags); \
        mode = va_arg(more, mode_t); \
        va_end(more); \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    if (flags & O_CREAT) return create(path, flags, mode);
    return stays_shut("look", below(path)) ? -1 : real_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags)
    return open(path, flags | O_LARGEFILE, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    NEXT(openat);
    MODE(flags)
    char whole[PATH_MAX];
    if (!(flags & O_CREAT)) {
        return stays_shut("look", at_below(folder, path, whole)) ? -1 : next(folder, path, flags, mode);
    }
    return fails("openat", at_below(folder, path, whole)) ? -1 : opened(next(folder, path, flags, mode));
}

int openat64(int folder, const char *path, int flags, ...) {
    MODE(flags)
    return openat(folder, path, flags, mode);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
    NEXT(pread64);
    char path[PATH_MAX];
    return breaks("pread", READING, file_below(descriptor, path)) ? -1 : next(descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    return pread64(descriptor, bytes, count, offset);
}

int rename(const char *from, const char *to) {
    NEXT(rename);
    if (!below(to)) return next(from, to);
    if (fails("rename", is_folder(from) ? from : to)) return -1;
    int descriptor = real_open(from, O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0);
    if (descriptor >= 0) {
        show(descriptor);
        close(descriptor);
    }
    return next(from, to);
}

int unlink(const char *path) {
    NEXT(unlink);
    return breaks("unlink", USUAL, below(path)) ? -1 : next(path);
}

int rmdir(const char *path) {
    NEXT(rmdir);
    return breaks("rmdir", SELDOM_DONE, below(path)) ? -1 : next(path);
}

int ftruncate64(int descriptor, off64_t length) {
    NEXT(ftruncate64);
    char path[PATH_MAX];
    if (fails_at("ftruncate", SELDOM_DONE, file_below(descriptor, path)) || next(descriptor, length) != 0) return -1;
    opened(descriptor);
    return 0;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
    NEXT(fallocate64);
    char path[PATH_MAX];
    if (fails_at("fallocate", SELDOM_DONE, file_below(descriptor, path))) return -1;
    return next(descriptor, mode, offset, length);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    return fallocate64(descriptor, mode, offset, length);
}

int mkdir(const char *path, mode_t mode) {
    NEXT(mkdir);
    return fails("mkdir", below(path)) ? -1 : next(path, mode);
}

DIR *opendir(const char *path) {
    NEXT(opendir);
    return stays_shut("opendir", below(path)) ? NULL : next(path);
}

int stat(const char *path, struct stat *info) {
    return breaks("stat", READING, below(path)) ? -1 : real_stat(path, info);
}

int lstat(const char *path, struct stat *info) {
    NEXT(lstat);
    return breaks("stat", READING, below(path)) ? -1 : next(path, info);
}

int fstatat(int folder, const char *path, struct stat *info, int flags) {
    NEXT(fstatat);
    char whole[PATH_MAX];
    return breaks("stat", READING, at_below(folder, path, whole)) ? -1 : next(folder, path, info, flags);
}
