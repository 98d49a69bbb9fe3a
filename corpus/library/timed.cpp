// Waits with a time limit of the C++ library end. Verified.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

int main()
{
#if defined COND
	std::mutex m;
	std::condition_variable c;
	std::thread t([&] {
		std::unique_lock own(m);
		c.wait_for(own, 1ms);
		assert(own.owns_lock());
	});
	t.join();
#elif defined COND_UNTIL
	std::mutex m;
	std::condition_variable c;
	std::thread t([&] {
		std::unique_lock own(m);
		assert(c.wait_until(own, std::chrono::steady_clock::now() + 1ms) == std::cv_status::timeout);
	});
	t.join();
#elif defined COND_PREDICATE
	std::mutex m;
	std::condition_variable c;
	std::thread t([&] {
		std::unique_lock own(m);
		assert(!c.wait_for(own, 1ms, [] { return false; }));
	});
	t.join();
#elif defined COND_ANY
	std::mutex m;
	std::condition_variable_any c;
	std::thread t([&] {
		std::unique_lock own(m);
		assert(!c.wait_for(own, 1ms, [] { return false; }));
	});
	t.join();
#elif defined MUTEX
	std::timed_mutex m;
	m.lock();
	std::thread t([&] { assert(!m.try_lock_for(1ms)); });
	t.join();
	m.unlock();
#elif defined RECURSIVE
	std::recursive_timed_mutex m;
	m.lock();
	assert(m.try_lock_for(1ms));
	m.unlock();
	std::thread t([&] { assert(!m.try_lock_until(std::chrono::system_clock::now() + 1ms)); });
	t.join();
	m.unlock();
#elif defined SHARED
	std::shared_timed_mutex m;
	m.lock_shared();
	std::thread t([&] {
		assert(!m.try_lock_for(1ms));
		assert(m.try_lock_shared_for(1ms));
		m.unlock_shared();
	});
	t.join();
	m.unlock_shared();
#elif defined FUTURE
	std::promise<int> p;
	std::future<int> f = p.get_future();
	std::thread t([&] { assert(f.wait_for(1ms) == std::future_status::timeout); });
	t.join();
#elif defined SEMAPHORE
	std::counting_semaphore<4> s(0);
	std::thread t([&] { assert(!s.try_acquire_for(1ms)); });
	t.join();
#endif
}
