// An atomic object of 32 bytes. -DTORN: a plain one.
#include <atomic>
#include <cassert>
#include <thread>

struct Quad {
	long a, b, c, d;
};

#ifdef TORN
struct Plain {
	Quad quad;
	void store(Quad q) { quad = q; }
	Quad load() const { return quad; }
} shared;
#else
std::atomic<Quad> shared;
#endif

int main()
{
	std::thread writer([] { shared.store(Quad{1, 1, 1, 1}); });
	Quad seen = shared.load();
	assert(seen.a == seen.d && seen.b == seen.c && seen.a == seen.b);
	writer.join();
}
