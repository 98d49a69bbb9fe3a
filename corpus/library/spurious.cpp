// std::condition_variable and its kin may wake up for no reason with --spurious: refuted where the wait stands in `if`, verified with a predicate.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifdef ANY
std::shared_mutex lock;
std::condition_variable_any changed;
typedef std::unique_lock<std::shared_mutex> own_lock;
#else
std::mutex lock;
std::condition_variable changed;
typedef std::unique_lock<std::mutex> own_lock;
#endif
bool ready = false;

int main()
{
	std::thread waiter([] {
		own_lock own(lock);
#ifdef PREDICATE
		changed.wait(own, [] { return ready; });
#else
		if (!ready)
			changed.wait(own);
#endif
		assert(ready);
	});
	{
		own_lock own(lock);
		ready = true;
		changed.notify_all();
	}
	waiter.join();
}
