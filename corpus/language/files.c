// Files that are written stay in memory: what is written can be read again, renamed and removed; numbers of files,
// pipes within the process, two threads that write to one file.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "raddle-files-first"
#define OTHER "raddle-files-second"

static char line[100];
static int ends[2];
static FILE *log_file;

static void streams(void)
{
	FILE *f = fopen(NAME, "w");
	assert(f && fprintf(f, "number %d of %s\n", 3, "four") == 17 && fputs("second\n", f) >= 0);
	assert(fputc('c', f) == 'c' && putc('\n', f) == '\n' && fwrite("raw", 1, 3, f) == 3);
	assert(ftell(f) == 29 && fflush(f) == 0 && !ferror(f) && fclose(f) == 0);
	f = fopen(NAME, "r");
	int number, n_lines = 0;
	char word[10];
	assert(fscanf(f, "number %d of %9s", &number, word) == 2 && number == 3 && strcmp(word, "four") == 0);
	assert(ftell(f) == 16 && fgetc(f) == '\n' && ungetc('x', f) == 'x' && fgetc(f) == 'x');
	rewind(f);
	while (fgets(line, sizeof line, f))
		n_lines++;
	assert(n_lines == 4 && feof(f) && fputc('x', f) == EOF && ferror(f));
	clearerr(f);
	assert(!ferror(f) && !feof(f) && fclose(f) == 0);
	f = fopen(NAME, "a+");
	assert(fputs("more", f) >= 0 && fseek(f, 0, SEEK_SET) == 0 && fgetc(f) == 'n');
	assert(fseek(f, -4, SEEK_END) == 0 && fread(line, 1, sizeof line, f) == 4 && memcmp(line, "more", 4) == 0);
	fclose(f);
	f = fopen(NAME, "r+");
	assert(fseek(f, 0, SEEK_SET) == 0 && fputc('N', f) == 'N' && fgetc(f) == 'u');
	fclose(f);
}

static void names(void)
{
	errno = 0;
	assert(access(NAME, F_OK) == 0 && rename(NAME, OTHER) == 0);
	assert(!fopen(NAME, "r") && errno == ENOENT && access(NAME, F_OK) == -1);
	FILE *f = fopen(OTHER, "r");
	assert(f && fgetc(f) == 'N');
	// Who has it open keeps it.
	assert(remove(OTHER) == 0 && remove(OTHER) == -1 && fgetc(f) == 'u');
	fclose(f);
	assert(!fopen(OTHER, "r") && (f = fopen(OTHER, "wx")) && !fopen(OTHER, "wx") && errno == EEXIST);
	fclose(f);
	assert(unlink(OTHER) == 0 && (f = tmpfile()) && fputs("10 20", f) >= 0);
	int a, b;
	rewind(f);
	assert(fscanf(f, "%d%d", &a, &b) == 2 && a + b == 30);
	fclose(f);
}

static void numbers(void)
{
	int fd = open(NAME, O_RDWR | O_CREAT | O_TRUNC, 0644);
	assert(fd > 2 && write(fd, "0123456789", 10) == 10 && lseek(fd, 3, SEEK_SET) == 3);
	assert(read(fd, line, 4) == 4 && memcmp(line, "3456", 4) == 0);
	int other = dup(fd);
	assert(other != fd && read(other, line, 100) == 3 && memcmp(line, "789", 3) == 0 && read(fd, line, 1) == 0);
	assert(pwrite(fd, "xy", 2, 20) == 2 && lseek(fd, 0, SEEK_END) == 22 && pread(fd, line, 2, 15) == 2 && line[0] == 0);
	assert(ftruncate(fd, 5) == 0 && lseek(fd, 0, SEEK_END) == 5 && close(fd) == 0 && close(fd) == -1 && errno == EBADF);
	FILE *f = fdopen(other, "r");
	rewind(f);
	assert(f && fileno(f) == other && fgets(line, sizeof line, f) && strcmp(line, "01234") == 0);
	fclose(f);
	unlink(NAME);
}

static void *send(void *unused)
{
	assert(write(ends[1], "ping", 4) == 4);
#ifndef OPEN
	close(ends[1]);
#endif
	return NULL;
}

static void *note(void *text)
{
#ifndef UNLOCKED
	fprintf(log_file, "%s\n", (char *)text);
#else
	long size = lseek(fileno(log_file), 0, SEEK_END);
	pwrite(fileno(log_file), text, 2, size);
#endif
	return NULL;
}

int main(void)
{
	pthread_t one, other;
	streams();
	names();
	numbers();
	assert(pipe(ends) == 0);
	pthread_create(&one, NULL, send, NULL);
	size_t n = 0;
	for (long got; (got = read(ends[0], line + n, sizeof line - n)) > 0;)
		n += (size_t)got;
	assert(n == 4 && memcmp(line, "ping", 4) == 0);
	pthread_join(one, NULL);
	close(ends[0]);
	log_file = fopen(NAME, "w+");
	pthread_create(&one, NULL, note, "a");
	pthread_create(&other, NULL, note, "b");
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	assert(ftell(log_file) == 4 || lseek(fileno(log_file), 0, SEEK_END) == 4);
	fclose(log_file);
	remove(NAME);
	return 0;
}
