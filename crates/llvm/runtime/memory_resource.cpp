// The memory resources of C++: what libstdc++ has of <memory_resource> in a binary that cannot be checked.
//
// A pool hands each block on to the resource above it and remembers it until it is given back or released: what it
// would keep for later is not memory that anybody may use.

#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
#if __has_include(<memory_resource>)
#include <memory_resource>
#include <mutex>

extern "C" void assertion_fails(const char *, int, const char *, const char *) __asm__("_ZSt21__glibcxx_assert_failPKciS0_S0_");

namespace std::pmr {

memory_resource::~memory_resource() {}

namespace {
class NewDelete final : public memory_resource {
	void *do_allocate(size_t size, size_t align) override { return ::operator new(size, align_val_t(align)); }
	void do_deallocate(void *block, size_t size, size_t align) override { ::operator delete(block, size, align_val_t(align)); }
	bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }
};
class Null final : public memory_resource {
	void *do_allocate(size_t, size_t) override { __throw_bad_alloc(); }
	void do_deallocate(void *, size_t, size_t) override {}
	bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }
};

[[clang::no_destroy]] NewDelete new_delete;
[[clang::no_destroy]] Null null;
memory_resource *preset = &new_delete;
}

memory_resource *new_delete_resource() noexcept { return &new_delete; }
memory_resource *null_memory_resource() noexcept { return &null; }
memory_resource *get_default_resource() noexcept { return __atomic_load_n(&preset, __ATOMIC_ACQUIRE); }
memory_resource *set_default_resource(memory_resource *now) noexcept
{
	return __atomic_exchange_n(&preset, now ? now : new_delete_resource(), __ATOMIC_ACQ_REL);
}

// A buffer after which others are taken from above, each with a note at its start.

class monotonic_buffer_resource::_Chunk {
public:
	_Chunk *next;
	size_t size, align;
};

monotonic_buffer_resource::~monotonic_buffer_resource() { release(); }

void monotonic_buffer_resource::_M_new_buffer(size_t bytes, size_t align)
{
	size_t most_align = align > alignof(_Chunk) ? align : alignof(_Chunk);
	size_t head = (sizeof(_Chunk) + most_align - 1) / most_align * most_align;
	size_t size = bytes > _M_next_bufsiz ? bytes : _M_next_bufsiz;
	char *start = (char *)_M_upstream->allocate(head + size, most_align);
	_M_head = new (start) _Chunk{_M_head, head + size, most_align};
	_M_current_buf = start + head;
	_M_avail = size;
	_M_next_bufsiz *= _S_growth_factor;
}

void monotonic_buffer_resource::_M_release_buffers() noexcept
{
	while (_Chunk *first = _M_head) {
		_M_head = first->next;
		_M_upstream->deallocate(first, first->size, first->align);
	}
}

// Pools

struct __pool_resource::_BigBlock {
	void *start;
	size_t size, align;
};

namespace {
pool_options filled(pool_options options)
{
	options.max_blocks_per_chunk = options.max_blocks_per_chunk ? options.max_blocks_per_chunk : 1 << 19;
	options.largest_required_pool_block = options.largest_required_pool_block ? options.largest_required_pool_block : 4096;
	return options;
}
}

__pool_resource::__pool_resource(const pool_options &options, memory_resource *above) : _M_opts(filled(options)), _M_unpooled(above), _M_npools(0) {}
__pool_resource::~__pool_resource() { release(); }

void *__pool_resource::allocate(size_t size, size_t align)
{
	_M_unpooled.push_back({nullptr, size, align});
	try {
		return _M_unpooled.back().start = resource()->allocate(size, align);
	} catch (...) {
		_M_unpooled.pop_back();
		throw;
	}
}

void __pool_resource::deallocate(void *start, size_t, size_t)
{
	for (_BigBlock &each : _M_unpooled) {
		if (each.start == start) {
			_BigBlock found = each;
			each = _M_unpooled.back();
			_M_unpooled.pop_back();
			resource()->deallocate(found.start, found.size, found.align);
			return;
		}
	}
	assertion_fails(nullptr, 0, "deallocate", "a block that was allocated from this pool");
}

void __pool_resource::release() noexcept
{
	for (_BigBlock &each : _M_unpooled)
		resource()->deallocate(each.start, each.size, each.align);
	_M_unpooled.clear();
	_M_unpooled.shrink_to_fit();
}

unsynchronized_pool_resource::unsynchronized_pool_resource(const pool_options &options, memory_resource *above) : _M_impl(options, above) {}
unsynchronized_pool_resource::~unsynchronized_pool_resource() {}
void unsynchronized_pool_resource::release() { _M_impl.release(); }
void *unsynchronized_pool_resource::do_allocate(size_t size, size_t align) { return _M_impl.allocate(size, align); }
void unsynchronized_pool_resource::do_deallocate(void *start, size_t size, size_t align) { _M_impl.deallocate(start, size, align); }

synchronized_pool_resource::synchronized_pool_resource(const pool_options &options, memory_resource *above) : _M_impl(options, above) {}
synchronized_pool_resource::~synchronized_pool_resource() {}
void synchronized_pool_resource::release()
{
	lock_guard<shared_mutex> guard(_M_mx);
	_M_impl.release();
}
void *synchronized_pool_resource::do_allocate(size_t size, size_t align)
{
	lock_guard<shared_mutex> guard(_M_mx);
	return _M_impl.allocate(size, align);
}
void synchronized_pool_resource::do_deallocate(void *start, size_t size, size_t align)
{
	lock_guard<shared_mutex> guard(_M_mx);
	_M_impl.deallocate(start, size, align);
}

}
#endif
