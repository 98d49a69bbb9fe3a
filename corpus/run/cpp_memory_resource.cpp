// Memory resources: buffers, pools, the default one, and one of the program's own.
#include <cstdio>
#include <list>
#include <map>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

class Counting : public std::pmr::memory_resource {
	void *do_allocate(std::size_t size, std::size_t align) override
	{
		n_blocks++;
		return std::pmr::new_delete_resource()->allocate(size, align);
	}
	void do_deallocate(void *block, std::size_t size, std::size_t align) override
	{
		n_blocks--;
		std::pmr::new_delete_resource()->deallocate(block, size, align);
	}
	bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override { return this == &other; }
public:
	int n_blocks = 0;
};

static void buffers()
{
	std::byte small[64];
	std::pmr::monotonic_buffer_resource none(small, sizeof small, std::pmr::null_memory_resource());
	std::pmr::vector<int> numbers(&none);
	try {
		for (int i = 0; i < 100; i++)
			numbers.push_back(i);
	} catch (const std::bad_alloc &why) {
		std::printf("%zu: %s\n", numbers.size(), why.what());
	}
	Counting above;
	{
		std::pmr::monotonic_buffer_resource arena(16, &above);
		{
			std::pmr::string text("a text that is too long for the object itself", &arena);
			std::pmr::list<int> list({1, 2, 3}, &arena);
			std::printf("%s %d %d\n", text.c_str(), list.back(), above.n_blocks > 0);
		}
		arena.release();
		std::printf("%d\n", above.n_blocks);
	}
	std::printf("%d\n", above.n_blocks);
}

template <class Pool> static void pools()
{
	Counting above;
	{
		Pool pool(&above);
		std::pmr::map<int, std::pmr::string> names(&pool);
		for (int i = 0; i < 5; i++)
			names.emplace(i, "the name of number " + std::to_string(i));
		names.erase(2);
		std::printf("%s %zu %d\n", names.at(3).c_str(), names.size(), names.at(4).get_allocator().resource() == &pool);
	}
	std::printf("%d\n", above.n_blocks);
}

int main()
{
	buffers();
	pools<std::pmr::unsynchronized_pool_resource>();
	pools<std::pmr::synchronized_pool_resource>();
	Counting mine;
	std::pmr::memory_resource *old = std::pmr::set_default_resource(&mine);
	std::printf("%d %d\n", old == std::pmr::new_delete_resource(), std::pmr::get_default_resource() == &mine);
	std::pmr::vector<int> numbers{1, 2, 3};
	std::printf("%d %d\n", mine.n_blocks, *old == mine);
	std::pmr::set_default_resource(nullptr);
	std::printf("%d\n", std::pmr::get_default_resource() == old);
}
