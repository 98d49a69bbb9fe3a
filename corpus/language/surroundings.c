/* Arguments, the environment, the standard input, files, numbers in text, memory from mmap. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

static void *count(void *at)
{
	__atomic_fetch_add((int *)at, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void in_text(void)
{
	int a = 0, b = 0, n = 0;
	unsigned hex = 0;
	char word[8], rest[8];
	double real;
	assert(sscanf(" 12,-7 word", "%d,%d %7s%n", &a, &b, word, &n) == 3 && a == 12 && b == -7 && n == 11);
	assert(sscanf("0x1f.abc!", "%x.%3[a-z]%c", &hex, rest, word) == 3 && hex == 31 && strcmp(rest, "abc") == 0 && word[0] == '!');
	assert(sscanf("2.5e1", "%lf", &real) == 1 && real == 25.0);
	assert(sscanf("x", "%d", &a) == 0 && sscanf("", "%d", &a) == EOF);
	assert(strcmp(strerror(EINVAL), "Invalid argument") == 0 && ffs(8) == 4 && sysconf(_SC_PAGESIZE) == 4096);
}

static void in_files(void)
{
	char line[128];
	FILE *file = fopen(__FILE__, "r");
	assert(file && fgets(line, sizeof line, file) && strncmp(line, "/* Arguments", 12) == 0);
	assert(fseek(file, 3, SEEK_SET) == 0 && fgetc(file) == 'A' && ftell(file) == 4 && !feof(file));
	fclose(file);
	assert(!fopen("there/is/no/such/file", "r") && errno == ENOENT);
}

int main(int argc, char **argv)
{
	int number, option, verbose = 0;
	assert(argc == 4 && strcmp(argv[1], "-v") == 0 && strcmp(argv[3], "two words") == 0);
	while ((option = getopt(argc, argv, "vn:")) != -1)
		verbose += option == 'v' ? 1 : 10 * atoi(optarg);
	assert(verbose == 51 && optind == 3);
	assert(strcmp(getenv("COLOUR"), "blue") == 0 && !getenv("OTHER"));
	assert(scanf("%d", &number) == 1 && number == 42 && getchar() == '\n' && getchar() == EOF);
	in_text();
	in_files();
	int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t t;
	pthread_create(&t, NULL, count, shared);
	count(shared);
	pthread_join(t, NULL);
	assert(*shared == 2 && munmap(shared, 4096) == 0);
	return 0;
}
