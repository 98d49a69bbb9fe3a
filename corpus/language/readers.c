// A file that exists is read by two threads that do not wait for each other: 26 executions come from opening and closing
// it. -DNONE: what `fopen` gives for no file is read. -DWRITER: one opens the file to write it, which is refused.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int lines[2];

static void *count(void *result)
{
	FILE *file = fopen(__FILE__, "r");
	assert(file);
	char line[256];
	assert(fgets(line, sizeof line, file) && strncmp(line, "// A file", 9) == 0);
	long second = ftell(file);
	int n = 1, number = 0;
	while (fgets(line, sizeof line, file))
		n++;
	assert(feof(file) && !ferror(file) && fgetc(file) == EOF);
	// What was read ahead is given back.
	assert(second == 122 && fseek(file, second, SEEK_SET) == 0 && fscanf(file, "// it. -D%n", &number) == 0 && number == 9);
	assert(fseek(file, 1, SEEK_CUR) == 0 && ftell(file) == second + 10 && fgetc(file) == 'O');
	rewind(file);
	assert(fgetc(file) == '/' && ungetc('x', file) == 'x' && ftell(file) == 0);
	fclose(file);
	*(int *)result = n;
	return NULL;
}

#ifdef WRITER
static void *append(void *unused)
{
	FILE *file = fopen(__FILE__, "a");
	fclose(file);
	return unused;
}
#endif

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, count, &lines[0]);
#ifdef WRITER
	pthread_create(&t[1], NULL, append, NULL);
#else
	pthread_create(&t[1], NULL, count, &lines[1]);
#endif
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(lines[0] == 63);
#ifndef WRITER
	assert(lines[1] == 63);
#endif
	FILE *none = fopen("there/is/no/such/file", "r");
#ifdef NONE
	assert(fgetc(none) == EOF);
#else
	assert(!none && errno == ENOENT);
#endif
	return 0;
}
