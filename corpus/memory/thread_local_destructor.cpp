// The destructor of a thread-local object runs before the object ceases to be; an access through a pointer to it afterwards is wrong.
#include <atomic>
#include <thread>

struct Counter {
	int count = 0;
	~Counter();
};

static thread_local Counter counter;
static std::atomic<Counter *> published{nullptr};
static int total;

Counter::~Counter()
{
	Counter *at = published;
	total += at ? at->count : 0;
}

int main()
{
	std::thread worker([] {
		counter.count = 3;
		published = &counter;
	});
	worker.join();
#ifdef AFTERWARDS
	return published.load()->count - 3;
#else
	return total - 3;
#endif
}
