// Futures, shared pointers and what waits beneath them.
#include <condition_variable>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

struct Counted {
	int value;
	explicit Counted(int v) : value(v) {}
	~Counted() { std::printf("gone %d\n", value); }
};

int main()
{
	std::promise<int> promise;
	std::future<int> promised = promise.get_future();
	std::thread keeper([&] { promise.set_value(42); });
	std::printf("promised %d\n", promised.get());
	keeper.join();

	auto later = std::async(std::launch::async, [](int n) { return n * n; }, 12);
	std::printf("later %d\n", later.get());
	auto lazy = std::async(std::launch::deferred, [] { return 7; });
	std::printf("lazy %d\n", lazy.get());
	std::packaged_task<int(int)> task([](int n) { return n + 1; });
	auto done = task.get_future();
	std::thread runner(std::move(task), 1);
	std::printf("task %d\n", done.get());
	runner.join();

	auto shared = std::make_shared<Counted>(5);
	std::weak_ptr<Counted> weak = shared;
	std::thread holder([shared]() mutable { shared.reset(); });
	shared.reset();
	holder.join();
	std::printf("expired %d\n", weak.expired());

	std::recursive_mutex mutex;
	std::condition_variable_any condition;
	bool ready = false;
	std::thread waiter([&] {
		std::unique_lock<std::recursive_mutex> lock(mutex);
		condition.wait(lock, [&] { return ready; });
		std::printf("ready\n");
	});
	{
		std::lock_guard<std::recursive_mutex> lock(mutex);
		ready = true;
	}
	condition.notify_one();
	waiter.join();
	return 3;
}
