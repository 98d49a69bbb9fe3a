// What exceptions do, in two threads. -DUNCAUGHT: nobody catches. -DNOEXCEPT: it must not leave a function. -DLOCKED: the lock is not released on the way.
#include <cassert>
#include <exception>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

struct Base {
	virtual ~Base() = default;
	int number = 3;
};
struct Other {
	virtual ~Other() = default;
};
struct Derived : Other, Base {};

std::mutex gate;
int cleaned;

struct Cleans {
	~Cleans() { cleaned++; }
};

#ifdef NOEXCEPT
void fails(int way) noexcept
#else
void fails(int way)
#endif
{
	Cleans cleans;
	switch (way) {
	case 0: throw Derived();
	case 1: throw std::out_of_range("far " + std::to_string(way));
	case 2: throw 7;
	case 3: throw "text";
	}
}

int caught(int way)
{
	try {
		Cleans cleans;
		fails(way);
	} catch (const Base &base) {
		return base.number;
	} catch (const std::logic_error &error) {
		assert(std::string(error.what()) == "far 1");
		return 10;
	} catch (int number) {
		return number;
	} catch (const char *text) {
		return text[0];
	}
	return 0;
}

void again()
{
	try {
		try {
			throw std::runtime_error("one");
		} catch (...) {
			throw;
		}
	} catch (const std::exception &error) {
		assert(error.what()[0] == 'o');
	}
	try {
		try {
			throw 1;
		} catch (int) {
			throw std::runtime_error("two");
		}
	} catch (const std::runtime_error &error) {
		assert(error.what()[0] == 't');
	}
}

void locks()
{
#ifdef LOCKED
	gate.lock();
	fails(2);
	gate.unlock();
#else
	std::lock_guard<std::mutex> guard(gate);
	fails(2);
#endif
}

int main()
{
	assert(caught(0) == 3 && caught(1) == 10 && caught(2) == 7 && caught(3) == 't' && caught(4) == 0);
	assert(cleaned == 10);
	again();
	std::promise<int> promise;
	std::future<int> future = promise.get_future();
	std::thread thread([&] {
		try {
			locks();
		} catch (...) {
			promise.set_exception(std::current_exception());
		}
	});
	bool known = false;
	try {
		future.get();
	} catch (int number) {
		known = number == 7;
	}
	thread.join();
	assert(known);
	gate.lock();
	gate.unlock();
#ifdef UNCAUGHT
	fails(1);
#endif
}
