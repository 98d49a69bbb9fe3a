// What is done once and throws has not been done: the next one tries again.
#include <cstdio>
#include <mutex>
#include <pthread.h>

static std::once_flag flag;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static int tries, done, calls;

static void once()
{
    try {
        std::call_once(flag, [] {
            if (tries++ < 2)
                throw tries;
            done++;
        });
        std::printf("done %d after %d\n", done, tries);
    } catch (int n) {
        std::printf("thrown %d\n", n);
    }
}

static void plain()
{
    if (calls++ == 0)
        throw "first";
}

int main()
{
    for (int n = 0; n < 4; n++)
        once();
    for (int n = 0; n < 3; n++) {
        try {
            pthread_once(&control, plain);
            std::printf("called %d\n", calls);
        } catch (const char *what) {
            std::printf("caught %s\n", what);
        }
    }
    return 0;
}
