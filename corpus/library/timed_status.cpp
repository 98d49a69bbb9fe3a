// Whether a wait with a time limit was in time is told by the clock: both are possible where somebody notifies, with -DTWO for two threads that look at the clock.
// Refuted with -DIN_TIME (claims that nobody is too late) and -DTOO_LATE (claims that nobody is in time); with -DNOBODY nobody notifies, and all are too late: verified.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex lock;
std::condition_variable changed;
int waiting;

void wait()
{
	std::unique_lock own(lock);
	waiting++;
	std::cv_status status = changed.wait_for(own, 10s);
#if defined IN_TIME
	assert(status == std::cv_status::no_timeout);
#elif defined TOO_LATE || defined NOBODY
	assert(status == std::cv_status::timeout);
#endif
}

int main()
{
	std::thread waiter(wait);
#ifdef TWO
	std::thread second(wait);
#endif
#ifndef NOBODY
	{
		std::lock_guard own(lock);
		if (waiting)
			changed.notify_all();
	}
#endif
	waiter.join();
#ifdef TWO
	second.join();
#endif
}
