// <stdio.h>, <fcntl.h>, <unistd.h>: files, and `scanf`.
//
// A file that is opened for the first time has what the real one has, if the program may read it; from then on it lives
// in memory, and so do files that are written, and pipes. What is written can be read at once: no stream holds it back.
// Every folder exists. At the end of the program its files are gone, so that they are no leaks.

#include "files.h"

enum { MOST_OPEN = 256, FIRST = 3 };

// The names of files. One that was removed stays, without a node, so that the real file does not come back.
struct name {
	struct name *next;
	struct node *node;
	char text[];
};

static mutex names_lock;
static struct name *names;
static mutex numbers_lock;
static struct opened *numbers[MOST_OPEN];

static const char *without_dots(const char *path)
{
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	return path;
}

static struct node *new_node(void)
{
	struct node *node = __raddle_allocate(sizeof *node);
	memset(node, 0, sizeof *node);
	return node;
}

// The last who knows it drops it. The lock of names is held, or nobody knows a name of it.
static void drop_if_last(struct node *node)
{
	pthread_mutex_lock(&node->lock);
	int is_last = node->n_names == 0 && node->n_open == 0;
	pthread_mutex_unlock(&node->lock);
	if (is_last) {
		free(node->data);
		free(node);
	}
}

// The entry of a name, with the node of the real file where there is one. The lock of names is held.
static struct name *entry(const char *path)
{
	path = without_dots(path);
	for (struct name *each = names; each; each = each->next)
		if (strcmp(each->text, path) == 0)
			return each;
	struct name *made = __raddle_allocate(sizeof *made + strlen(path) + 1);
	memcpy(made->text, path, strlen(path) + 1);
	char *data;
	long size = __raddle_file(path, &data);
	made->node = NULL;
	if (size >= 0) {
		made->node = new_node();
		made->node->data = data;
		made->node->size = made->node->room = (size_t)size;
		made->node->n_names = 1;
		made->node->is_real = 1;
	}
	made->next = names;
	names = made;
	return made;
}

static void unname(struct name *of)
{
	struct node *node = of->node;
	of->node = NULL;
	pthread_mutex_lock(&node->lock);
	node->n_names--;
	pthread_mutex_unlock(&node->lock);
	drop_if_last(node);
}

__attribute__((destructor(101))) static void forget(void)
{
	while (names) {
		struct name *first = names;
		names = first->next;
		if (first->node)
			unname(first);
		free(first);
	}
}

// Numbers of files

static int give_number(struct opened *opened, int from)
{
	pthread_mutex_lock(&numbers_lock);
	int number = from < FIRST ? FIRST : from;
	while (number < MOST_OPEN && numbers[number])
		number++;
	if (number < MOST_OPEN)
		numbers[number] = opened;
	pthread_mutex_unlock(&numbers_lock);
	return number < MOST_OPEN ? number : fail(EMFILE);
}

static void hold(struct opened *opened)
{
	pthread_mutex_lock(&opened->lock);
	opened->n_numbers++;
	pthread_mutex_unlock(&opened->lock);
}

// The file of a number, held until `__raddle_leave`.
struct opened *__raddle_opened(int number)
{
	pthread_mutex_lock(&numbers_lock);
	struct opened *opened = number >= 0 && number < MOST_OPEN ? numbers[number] : NULL;
	if (opened)
		hold(opened);
	pthread_mutex_unlock(&numbers_lock);
	if (!opened)
		fail(EBADF);
	return opened;
}

void __raddle_leave(struct opened *opened)
{
	pthread_mutex_lock(&opened->lock);
	int is_last = --opened->n_numbers == 0;
	pthread_mutex_unlock(&opened->lock);
	if (!is_last)
		return;
	struct node *node = opened->node;
	pthread_mutex_lock(&names_lock);
	pthread_mutex_lock(&node->lock);
	node->n_open--;
	node->n_own -= opened->own != NULL;
	if ((opened->flags & 3) != READS && --node->n_writers == 0 && node->is_pipe)
		pthread_cond_broadcast(&node->changed);
	pthread_mutex_unlock(&node->lock);
	drop_if_last(node);
	pthread_mutex_unlock(&names_lock);
	free(opened->own);
	free(opened);
}

int close(int number)
{
	pthread_mutex_lock(&numbers_lock);
	struct opened *opened = number >= 0 && number < MOST_OPEN ? numbers[number] : NULL;
	if (opened)
		numbers[number] = NULL;
	pthread_mutex_unlock(&numbers_lock);
	if (!opened)
		return number >= 0 && number < FIRST ? 0 : fail(EBADF);
	__raddle_leave(opened);
	return 0;
}

static struct opened *open_node(struct node *node, int flags)
{
	struct opened *opened = __raddle_allocate(sizeof *opened);
	memset(opened, 0, sizeof *opened);
	opened->node = node;
	opened->flags = flags;
	opened->n_numbers = 1;
	pthread_mutex_lock(&node->lock);
	node->n_open++;
	if ((flags & 3) != READS) {
		if (node->n_own)
			__raddle_refuse("a file that is opened to be written while it is open to be read");
		node->n_writers++;
		node->is_real = 0;
	}
	if (flags & TRUNCATES)
		node->size = 0;
	pthread_mutex_unlock(&node->lock);
	return opened;
}

// Gives a real file that is opened to be read, and that nobody has opened to write, a copy of its own.
static void own(struct opened *opened, const char *path)
{
	struct node *node = opened->node;
	pthread_mutex_lock(&node->lock);
	if (node->is_real && (opened->flags & 3) == READS && __raddle_file(without_dots(path), &opened->own) >= 0)
		node->n_own++;
	pthread_mutex_unlock(&node->lock);
}

static struct opened *open_path(const char *path, int flags)
{
	pthread_mutex_lock(&names_lock);
	struct name *name = entry(path);
	struct opened *opened = NULL;
	int error = !name->node && !(flags & CREATES) ? ENOENT : name->node && (flags & CREATES) && (flags & EXCLUSIVE) ? EEXIST : 0;
	if (!error) {
		if (!name->node) {
			name->node = new_node();
			name->node->n_names = 1;
		}
		opened = open_node(name->node, flags);
		own(opened, path);
	}
	pthread_mutex_unlock(&names_lock);
	if (error)
		fail(error);
	return opened;
}

static int numbered(struct opened *opened)
{
	if (!opened)
		return -1;
	int number = give_number(opened, FIRST);
	if (number < 0)
		__raddle_leave(opened);
	return number;
}

int open_file(const char *path, int flags, ...) __asm__("open");
int open_file(const char *path, int flags, ...) { return numbered(open_path(path, flags)); }
int open64(const char *path, int flags, ...) { return numbered(open_path(path, flags)); }
int creat(const char *path, unsigned mode) { return numbered(open_path(path, WRITES | CREATES | TRUNCATES)); }
int openat(int folder, const char *path, int flags, ...)
{
	if (folder != -100 && path[0] != '/')
		__raddle_refuse("openat in a folder");
	return numbered(open_path(path, flags));
}

int mkstemp(char *path)
{
	size_t length = strlen(path);
	if (length < 6 || strcmp(path + length - 6, "XXXXXX"))
		return fail(EINVAL);
	for (int n = 0; n < 1000; n++) {
		memcpy(path + length - 6, "000", 3);
		path[length - 3] = (char)('0' + n / 100);
		path[length - 2] = (char)('0' + n / 10 % 10);
		path[length - 1] = (char)('0' + n % 10);
		int number = numbered(open_path(path, BOTH | CREATES | EXCLUSIVE));
		if (number >= 0)
			return number;
	}
	return fail(EEXIST);
}

int pipe2(int ends[2], int flags)
{
	struct node *node = new_node();
	node->is_pipe = 1;
	struct opened *reader = open_node(node, READS), *writer = open_node(node, WRITES);
	ends[0] = numbered(reader);
	ends[1] = numbered(writer);
	return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}
int pipe(int ends[2]) { return pipe2(ends, 0); }

int dup(int number)
{
	struct opened *opened = __raddle_opened(number);
	if (!opened && number < FIRST)
		__raddle_refuse("dup of a standard stream");
	return numbered(opened);
}

int dup2(int from, int to)
{
	if (from < FIRST || to < FIRST || to >= MOST_OPEN)
		__raddle_refuse("dup2 with a standard stream");
	struct opened *opened = __raddle_opened(from);
	if (!opened)
		return -1;
	if (from == to) {
		__raddle_leave(opened);
		return to;
	}
	close(to);
	pthread_mutex_lock(&numbers_lock);
	numbers[to] = opened;
	pthread_mutex_unlock(&numbers_lock);
	return to;
}

// Bytes of opened files

// Copies what there is of some bytes; gives how many.
static size_t copy(void *to, const char *data, size_t size, size_t at, size_t n)
{
	size_t left = at < size ? size - at : 0;
	if (n > left)
		n = left;
	if (n)
		memcpy(to, data + at, n);
	return n;
}

// Takes what comes next out of a pipe, which is waited for.
static size_t take_out(struct node *pipe, void *to, size_t n)
{
	while (pipe->taken == pipe->size && pipe->n_writers > 0)
		pthread_cond_wait(&pipe->changed, &pipe->lock);
	n = copy(to, pipe->data, pipe->size, pipe->taken, n);
	pipe->taken += n;
	return n;
}

static void lock(struct opened *opened)
{
	pthread_mutex_lock(&opened->lock);
	if (!opened->own)
		pthread_mutex_lock(&opened->node->lock);
}

static void unlock(struct opened *opened)
{
	if (!opened->own)
		pthread_mutex_unlock(&opened->node->lock);
	pthread_mutex_unlock(&opened->lock);
}

// Takes bytes where the file is, or at a place of its own.
static long take_at(struct opened *opened, void *to, size_t n, const size_t *place)
{
	struct node *node = opened->node;
	if ((opened->flags & 3) == WRITES)
		return fail(EBADF);
	lock(opened);
	if (node->is_pipe) {
		n = take_out(node, to, n);
	} else {
		n = copy(to, opened->own ? opened->own : node->data, node->size, place ? *place : opened->at, n);
		if (!place)
			opened->at += n;
	}
	unlock(opened);
	return (long)n;
}

static long put_at(struct opened *opened, const void *from, size_t n, const size_t *place)
{
	struct node *node = opened->node;
	if ((opened->flags & 3) == READS)
		return fail(EBADF);
	lock(opened);
	int is_at_end = node->is_pipe || (opened->flags & APPENDS);
	size_t at = is_at_end ? node->size : place ? *place : opened->at, end = at + n;
	if (end > node->room && n) {
		size_t room = end * 2 < 64 ? 64 : end * 2;
		char *data = __raddle_allocate(room);
		memset(data, 0, room);
		if (node->size)
			memcpy(data, node->data, node->size);
		free(node->data);
		node->data = data;
		node->room = room;
	}
	if (n && at > node->size)
		memset(node->data + node->size, 0, at - node->size);
	if (n)
		memcpy(node->data + at, from, n);
	if (n && end > node->size)
		node->size = end;
	if (!place)
		opened->at = end;
	if (node->is_pipe)
		pthread_cond_broadcast(&node->changed);
	unlock(opened);
	return (long)n;
}

long __raddle_put(struct opened *opened, const void *from, size_t n) { return put_at(opened, from, n, NULL); }

static long seek(struct opened *opened, long offset, int from)
{
	struct node *node = opened->node;
	if (node->is_pipe)
		return fail(ESPIPE);
	lock(opened);
	long at = offset + (from == 0 ? 0 : from == 1 ? (long)opened->at : (long)node->size);
	if (at >= 0)
		opened->at = (size_t)at;
	unlock(opened);
	return at >= 0 ? at : fail(EINVAL);
}

static long read_input(void *, size_t);

long read(int number, void *to, size_t n)
{
	if (number == 0)
		return read_input(to, n);
	struct opened *opened = __raddle_opened(number);
	if (!opened)
		return -1;
	long got = take_at(opened, to, n, NULL);
	__raddle_leave(opened);
	return got;
}

long pread(int number, void *to, size_t n, long at)
{
	struct opened *opened = __raddle_opened(number);
	if (!opened)
		return -1;
	size_t place = (size_t)at;
	long got = opened->node->is_pipe ? fail(ESPIPE) : take_at(opened, to, n, &place);
	__raddle_leave(opened);
	return got;
}
long pread64(int number, void *to, size_t n, long at) { return pread(number, to, n, at); }

long pwrite(int number, const void *from, size_t n, long at)
{
	struct opened *opened = __raddle_opened(number);
	if (!opened)
		return -1;
	size_t place = (size_t)at;
	long put = opened->node->is_pipe ? fail(ESPIPE) : put_at(opened, from, n, &place);
	__raddle_leave(opened);
	return put;
}
long pwrite64(int number, const void *from, size_t n, long at) { return pwrite(number, from, n, at); }

long lseek(int number, long offset, int from)
{
	struct opened *opened = __raddle_opened(number);
	if (!opened)
		return number >= 0 && number < FIRST ? fail(ESPIPE) : -1;
	long at = seek(opened, offset, from);
	__raddle_leave(opened);
	return at;
}
long lseek64(int number, long offset, int from) { return lseek(number, offset, from); }

int ftruncate(int number, long size)
{
	struct opened *opened = __raddle_opened(number);
	if (!opened)
		return -1;
	struct node *node = opened->node;
	int is_right = size >= 0 && !node->is_pipe && (opened->flags & 3) != READS;
	pthread_mutex_lock(&node->lock);
	if (is_right && (size_t)size < node->size)
		node->size = (size_t)size;
	long more = is_right ? size - (long)node->size : 0;
	pthread_mutex_unlock(&node->lock);
	if (more > 0) {
		char *zeros = __raddle_allocate((size_t)more);
		memset(zeros, 0, (size_t)more);
		size_t place = (size_t)(size - more);
		put_at(opened, zeros, (size_t)more, &place);
		free(zeros);
	}
	__raddle_leave(opened);
	return is_right ? 0 : fail(EINVAL);
}
int ftruncate64(int number, long size) { return ftruncate(number, size); }

int fsync(int number) { return 0; }
int fdatasync(int number) { return 0; }

// Names of files

int access(const char *path, int mode)
{
	pthread_mutex_lock(&names_lock);
	int is_there = entry(path)->node != NULL;
	pthread_mutex_unlock(&names_lock);
	return is_there ? 0 : fail(ENOENT);
}

int unlink(const char *path)
{
	pthread_mutex_lock(&names_lock);
	struct name *name = entry(path);
	int is_there = name->node != NULL;
	if (is_there)
		unname(name);
	pthread_mutex_unlock(&names_lock);
	return is_there ? 0 : fail(ENOENT);
}
int remove(const char *path) { return unlink(path); }

int rename(const char *from, const char *to)
{
	pthread_mutex_lock(&names_lock);
	struct name *old = entry(from), *new = entry(to);
	int is_there = old->node != NULL;
	if (is_there && old != new) {
		if (new->node)
			unname(new);
		new->node = old->node;
		old->node = NULL;
		pthread_mutex_lock(&new->node->lock);
		new->node->is_real = 0;
		pthread_mutex_unlock(&new->node->lock);
	}
	pthread_mutex_unlock(&names_lock);
	return is_there ? 0 : fail(ENOENT);
}

char *getcwd(char *to, size_t room)
{
	static const char folder[] = "/program";
	if (!to)
		to = malloc(room < sizeof folder ? sizeof folder : room), room = sizeof folder;
	if (room < sizeof folder) {
		fail(ERANGE);
		return NULL;
	}
	return to ? memcpy(to, folder, sizeof folder) : NULL;
}

// Streams

static struct file input;
static mutex input_lock;

// The standard streams are known to the machine by numbers.
static struct file *reading(struct file *stream)
{
	if ((unsigned long)stream >= 0x100)
		return stream;
	if ((unsigned long)stream == 0)
		return stream;
	pthread_mutex_lock(&input_lock);
	if (!input.data) {
		char *data;
		input.size = (size_t)__raddle_file(NULL, &data);
		input.data = data;
	}
	pthread_mutex_unlock(&input_lock);
	return &input;
}

static int is_standard(struct file *stream) { return (unsigned long)stream < 0x100 && stream; }

static long read_input(void *to, size_t n)
{
	struct file *f = reading((struct file *)0x10);
	pthread_mutex_lock(&f->lock);
	size_t left = f->size - f->at;
	if (n > left)
		n = left;
	memcpy(to, f->data + f->at, n);
	f->at += n;
	pthread_mutex_unlock(&f->lock);
	return (long)n;
}

static int flags_of(const char *mode)
{
	int is_both = strchr(mode, '+') != NULL, is_new = strchr(mode, 'x') != NULL;
	int how = is_both ? BOTH : mode[0] == 'r' ? READS : WRITES;
	switch (mode[0]) {
	case 'r': return how;
	case 'w': return how | CREATES | TRUNCATES | (is_new ? EXCLUSIVE : 0);
	case 'a': return how | CREATES | APPENDS;
	}
	return fail(EINVAL);
}

static struct file *stream_of(struct opened *opened, int number)
{
	struct file *made = calloc(1, sizeof *made + AHEAD);
	if (!made) {
		close(number);
		return NULL;
	}
	made->opened = opened;
	made->number = number;
	made->data = (char *)(made + 1);
	return made;
}

// Gives back what a stream has read ahead.
void __raddle_drop_ahead(struct file *f)
{
	if (f->opened && f->at < f->size && !f->opened->node->is_pipe)
		seek(f->opened, (long)f->at - (long)f->size, 1);
	f->at = f->size = f->n_back = 0;
}

struct file *fopen(const char *path, const char *mode)
{
	int flags = flags_of(mode);
	struct opened *opened = flags < 0 ? NULL : open_path(path, flags);
	int number = numbered(opened);
	return number < 0 ? NULL : stream_of(opened, number);
}
struct file *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

struct file *fdopen(int number, const char *mode)
{
	if (number >= 0 && number < FIRST)
		return (struct file *)(0x10 + (unsigned long)number);
	struct opened *opened = __raddle_opened(number);
	if (!opened)
		return NULL;
	__raddle_leave(opened);
	return stream_of(opened, number);
}

struct file *tmpfile(void)
{
	struct opened *opened = open_node(new_node(), BOTH);
	int number = numbered(opened);
	return number < 0 ? NULL : stream_of(opened, number);
}
struct file *tmpfile64(void) { return tmpfile(); }

struct file *freopen(const char *path, const char *mode, struct file *stream)
{
	if (is_standard(stream) || !path)
		__raddle_refuse("freopen of a standard stream");
	int flags = flags_of(mode), number;
	__raddle_drop_ahead(stream);
	close(stream->number);
	stream->opened = flags < 0 ? NULL : open_path(path, flags);
	number = numbered(stream->opened);
	stream->number = number;
	stream->is_at_end = stream->has_failed = 0;
	if (number >= 0)
		return stream;
	free(stream);
	return NULL;
}
struct file *freopen64(const char *path, const char *mode, struct file *stream) { return freopen(path, mode, stream); }

int fclose(struct file *stream)
{
	if (is_standard(stream))
		return 0;
	__raddle_drop_ahead(stream);
	int status = close(stream->number);
	free(stream);
	return status ? EOF : 0;
}

static int take(struct file *f)
{
	f->n_taken++;
	if (f->n_back)
		return f->back[--f->n_back];
	if (f->at == f->size && f->opened) {
		long got = take_at(f->opened, f + 1, AHEAD, NULL);
		f->at = 0;
		f->size = got < 0 ? 0 : (size_t)got;
		f->has_failed |= got < 0;
	}
	if (f->at < f->size)
		return (unsigned char)f->data[f->at++];
	f->n_taken--;
	f->is_at_end = 1;
	return EOF;
}

static void put_back(struct file *f, int c)
{
	if (c == EOF || f->n_back == (int)sizeof f->back)
		return;
	f->back[f->n_back++] = (unsigned char)c;
	f->n_taken--;
}

int fgetc(struct file *stream)
{
	struct file *f = reading(stream);
	pthread_mutex_lock(&f->lock);
	int c = take(f);
	pthread_mutex_unlock(&f->lock);
	return c;
}
int getc(struct file *stream) { return fgetc(stream); }
int _IO_getc(struct file *stream) { return fgetc(stream); }
int getc_unlocked(struct file *stream) { return fgetc(stream); }
int getchar(void) { return fgetc((struct file *)0x10); }
int getchar_unlocked(void) { return fgetc((struct file *)0x10); }

int ungetc(int c, struct file *stream)
{
	struct file *f = reading(stream);
	pthread_mutex_lock(&f->lock);
	put_back(f, c);
	f->is_at_end = 0;
	pthread_mutex_unlock(&f->lock);
	return c;
}

char *fgets(char *to, int size, struct file *stream)
{
	struct file *f = reading(stream);
	int n = 0;
	pthread_mutex_lock(&f->lock);
	while (n < size - 1) {
		int c = take(f);
		if (c == EOF)
			break;
		to[n++] = (char)c;
		if (c == '\n')
			break;
	}
	pthread_mutex_unlock(&f->lock);
	if (n == 0)
		return NULL;
	to[n] = 0;
	return to;
}

size_t fread(void *to, size_t size, size_t count, struct file *stream)
{
	struct file *f = reading(stream);
	size_t wanted = size * count, n = 0;
	pthread_mutex_lock(&f->lock);
	for (int c; n < wanted && (c = take(f)) != EOF; n++)
		((char *)to)[n] = (char)c;
	pthread_mutex_unlock(&f->lock);
	return size ? n / size : 0;
}

long getdelim(char **line, size_t *room, int end, struct file *stream)
{
	struct file *f = reading(stream);
	size_t n = 0;
	int c;
	pthread_mutex_lock(&f->lock);
	do {
		c = take(f);
		if (c == EOF)
			break;
		if (!*line || n + 2 > *room) {
			*room = *line && *room ? *room * 2 + 2 : 120;
			*line = realloc(*line, *room);
		}
		(*line)[n++] = (char)c;
	} while (c != end);
	pthread_mutex_unlock(&f->lock);
	if (n == 0)
		return -1;
	(*line)[n] = 0;
	return (long)n;
}
long __getdelim(char **line, size_t *room, int end, struct file *stream) { return getdelim(line, room, end, stream); }
long getline(char **line, size_t *room, struct file *stream) { return getdelim(line, room, '\n', stream); }

int feof(struct file *stream)
{
	struct file *f = reading(stream);
	pthread_mutex_lock(&f->lock);
	int is_at_end = f->is_at_end;
	pthread_mutex_unlock(&f->lock);
	return is_at_end;
}
int feof_unlocked(struct file *stream) { return feof(stream); }

static int seek_stream(struct file *f, long offset, int from)
{
	if (f->opened) {
		if (seek(f->opened, from == 1 ? offset - (long)(f->size - f->at) - f->n_back : offset, from) < 0)
			return -1;
		f->at = f->size = 0;
		return 0;
	}
	long at = offset + (from == 0 ? 0 : from == 1 ? (long)f->at - f->n_back : (long)f->size);
	if (at < 0)
		return fail(EINVAL);
	f->at = (size_t)at;
	return 0;
}

int fseek(struct file *stream, long offset, int from)
{
	struct file *f = reading(stream);
	pthread_mutex_lock(&f->lock);
	int status = seek_stream(f, offset, from);
	if (status == 0)
		f->n_back = f->is_at_end = 0;
	pthread_mutex_unlock(&f->lock);
	return status;
}
int fseeko(struct file *stream, long offset, int from) { return fseek(stream, offset, from); }
void rewind(struct file *stream) { fseek(stream, 0, 0); }

long ftell(struct file *stream)
{
	struct file *f = reading(stream);
	pthread_mutex_lock(&f->lock);
	long at = f->opened ? seek(f->opened, 0, 1) : (long)f->size;
	at -= at < 0 ? 0 : (long)(f->size - f->at) + f->n_back;
	pthread_mutex_unlock(&f->lock);
	return at;
}
long ftello(struct file *stream) { return ftell(stream); }
int fgetpos(struct file *stream, long *at) { return (*at = ftell(stream)) < 0 ? -1 : 0; }
int fsetpos(struct file *stream, const long *at) { return fseek(stream, *at, 0); }
int fileno(struct file *stream) { return is_standard(stream) ? (int)(unsigned long)stream - 0x10 : stream->number; }

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

// Reads an integer; gives whether there was one.
static int scan_integer(struct file *f, int base, int width, long *value)
{
	int c = take(f), negative = c == '-', n = 0, n_digits = 0;
	unsigned long sum = 0;
	if (c == '-' || c == '+')
		c = take(f), n++;
	if ((base == 0 || base == 16) && c == '0' && n < width) {
		c = take(f), n++, n_digits++;
		if ((c | 32) == 'x' && n < width)
			base = 16, c = take(f), n++, n_digits = 0;
		else if (base == 0)
			base = 8;
	}
	if (base == 0)
		base = 10;
	for (; n < width && digit(c) < base; c = take(f), n++, n_digits++)
		sum = sum * (unsigned long)base + (unsigned long)digit(c);
	put_back(f, c);
	*value = (long)(negative ? 0 - sum : sum);
	return n_digits > 0;
}

// Reads a number and stores it as a float, a double or a long double, by the length; gives whether there was one.
static int scan_float(struct file *f, int width, int length, void *to)
{
	char text[128];
	int n = 0, c = take(f), has_digits = 0, has_exponent = 0;
	if (width > (int)sizeof text - 1)
		width = (int)sizeof text - 1;
	for (; n < width; c = take(f)) {
		int is_sign = (c == '-' || c == '+') && (n == 0 || (text[n - 1] | 32) == 'e');
		int is_exponent = (c | 32) == 'e' && has_digits && !has_exponent;
		int is_word = (c | 32) >= 'a' && (c | 32) <= 'z' && !has_digits && strchr("infatyINFATYxX", c);
		if (!(c >= '0' && c <= '9') && c != '.' && !is_sign && !is_exponent && !is_word)
			break;
		has_digits |= c >= '0' && c <= '9';
		has_exponent |= is_exponent;
		text[n++] = (char)c;
	}
	put_back(f, c);
	text[n] = 0;
	char *end;
	long double longest = strtold(text, &end);
	if (end == text)
		return 0;
	if (to && length == 3)
		*(long double *)to = longest;
	else if (to && length > 0)
		*(double *)to = strtod(text, &end);
	else if (to)
		*(float *)to = strtof(text, &end);
	return 1;
}

// The set of a conversion %[...]: where it ends in the format.
static const char *scan_set(const char *format, unsigned char set[256])
{
	int is_negated = *format == '^';
	format += is_negated;
	memset(set, is_negated, 256);
	const char *start = format;
	for (; *format && (*format != ']' || format == start); format++) {
		unsigned char low = (unsigned char)*format, high = low;
		if (format[1] == '-' && format[2] && format[2] != ']') {
			high = (unsigned char)format[2];
			format += 2;
		}
		for (int c = low; c <= high; c++)
			set[c] = !is_negated;
	}
	return *format ? format + 1 : format;
}

static void give(void *to, int length, long value)
{
	switch (length) {
	case -2: *(signed char *)to = (signed char)value; break;
	case -1: *(short *)to = (short)value; break;
	case 0: *(int *)to = (int)value; break;
	default: *(long *)to = value;
	}
}

static int scan(struct file *f, const char *format, va_list to)
{
	int n_given = 0, is_empty = 1;
	size_t start = f->n_taken;
	for (; *format; format++) {
		int c;
		if (is_space(*format)) {
			do
				c = take(f);
			while (is_space(c));
			put_back(f, c);
			continue;
		}
		if (*format != '%' || format[1] == '%') {
			if (*format == '%') {
				format++;
				do
					c = take(f);
				while (is_space(c));
			} else {
				c = take(f);
			}
			if (c != (unsigned char)*format) {
				put_back(f, c);
				return c == EOF && is_empty && n_given == 0 ? EOF : n_given;
			}
			continue;
		}
		format++;
		int is_dropped = *format == '*';
		format += is_dropped;
		int width = 0, length = 0;
		for (; *format >= '0' && *format <= '9'; format++)
			width = width * 10 + *format - '0';
		for (;; format++) {
			if (*format == 'h')
				length--;
			else if (*format == 'l' || *format == 'z' || *format == 'j' || *format == 't' || *format == 'q')
				length++;
			else if (*format == 'L')
				length = 3;
			else
				break;
		}
		int kind = *format;
		if (kind == 'n') {
			if (!is_dropped)
				give(__builtin_va_arg(to, void *), length, (long)(f->n_taken - start));
			continue;
		}
		if (kind != 'c' && kind != '[') {
			do
				c = take(f);
			while (is_space(c));
			put_back(f, c);
		}
		c = take(f);
		if (c == EOF)
			return n_given == 0 ? EOF : n_given;
		put_back(f, c);
		is_empty = 0;
		if (kind == 'c') {
			char *text = is_dropped ? NULL : __builtin_va_arg(to, char *);
			for (int n = 0; n < (width ? width : 1); n++) {
				if ((c = take(f)) == EOF)
					return n_given;
				if (text)
					text[n] = (char)c;
			}
			n_given += !is_dropped;
			continue;
		}
		if (width == 0)
			width = 1 << 30;
		if (kind == 's' || kind == '[') {
			unsigned char set[256];
			if (kind == '[')
				format = scan_set(format + 1, set) - 1;
			else
				for (int each = 0; each < 256; each++)
					set[each] = !is_space(each);
			char *text = is_dropped ? NULL : __builtin_va_arg(to, char *);
			int n = 0;
			for (; n < width && (c = take(f)) != EOF; n++) {
				if (!set[c]) {
					put_back(f, c);
					break;
				}
				if (text)
					text[n] = (char)c;
			}
			if (n == 0)
				return n_given;
			if (text)
				text[n] = 0;
			n_given += !is_dropped;
			continue;
		}
		if (kind == 'f' || kind == 'e' || kind == 'g' || kind == 'a' || kind == 'F' || kind == 'E' || kind == 'G') {
			if (!scan_float(f, width, length, is_dropped ? NULL : __builtin_va_arg(to, void *)))
				return n_given;
			n_given += !is_dropped;
			continue;
		}
		int base = kind == 'd' || kind == 'u' ? 10 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : kind == 'o' ? 8 : 0;
		if (base == 0 && kind != 'i')
			__raddle_refuse("scanf with a conversion of this kind");
		long value;
		if (!scan_integer(f, base, width, &value))
			return n_given;
		if (!is_dropped)
			give(__builtin_va_arg(to, void *), kind == 'p' ? 1 : length, value);
		n_given += !is_dropped;
	}
	return n_given;
}

int vsscanf(const char *text, const char *format, va_list to)
{
	struct file f;
	memset(&f, 0, sizeof f);
	f.data = (char *)text;
	f.size = strlen(text);
	return scan(&f, format, to);
}
int vfscanf(struct file *stream, const char *format, va_list to)
{
	struct file *f = reading(stream);
	pthread_mutex_lock(&f->lock);
	int n = scan(f, format, to);
	pthread_mutex_unlock(&f->lock);
	return n;
}
int vscanf(const char *format, va_list to) { return vfscanf((struct file *)0x10, format, to); }

#define SCANNERS(prefix) \
	int prefix##vsscanf_(const char *text, const char *format, va_list to) __asm__(#prefix "vsscanf"); \
	int prefix##vfscanf_(struct file *stream, const char *format, va_list to) __asm__(#prefix "vfscanf"); \
	int prefix##vscanf_(const char *format, va_list to) __asm__(#prefix "vscanf"); \
	int prefix##vsscanf_(const char *text, const char *format, va_list to) { return vsscanf(text, format, to); } \
	int prefix##vfscanf_(struct file *stream, const char *format, va_list to) { return vfscanf(stream, format, to); } \
	int prefix##vscanf_(const char *format, va_list to) { return vscanf(format, to); } \
	VARIADIC(prefix)
#define VARIADIC(prefix) \
	int prefix##sscanf_(const char *text, const char *format, ...) __asm__(#prefix "sscanf"); \
	int prefix##fscanf_(struct file *stream, const char *format, ...) __asm__(#prefix "fscanf"); \
	int prefix##scanf_(const char *format, ...) __asm__(#prefix "scanf"); \
	int prefix##sscanf_(const char *text, const char *format, ...) \
	{ \
		va_list to; \
		__builtin_va_start(to, format); \
		int n = vsscanf(text, format, to); \
		__builtin_va_end(to); \
		return n; \
	} \
	int prefix##fscanf_(struct file *stream, const char *format, ...) \
	{ \
		va_list to; \
		__builtin_va_start(to, format); \
		int n = vfscanf(stream, format, to); \
		__builtin_va_end(to); \
		return n; \
	} \
	int prefix##scanf_(const char *format, ...) \
	{ \
		va_list to; \
		__builtin_va_start(to, format); \
		int n = vscanf(format, to); \
		__builtin_va_end(to); \
		return n; \
	}
SCANNERS(__isoc99_)
SCANNERS(__isoc23_)
VARIADIC()
