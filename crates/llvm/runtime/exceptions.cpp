// The run time of C++ exceptions: what libstdc++ and libsupc++ have in a binary that cannot be checked.
//
// After the C++ ABI for Itanium. An exception has a head before it; the machine looks for handlers and leaves functions
// (`__raddle_...`). No header is included, so that this is compiled in no time; the layouts are those of libstdc++.

typedef __SIZE_TYPE__ size_t;

namespace std {
class type_info {
public:
	virtual ~type_info();
	const char *name_;
};
}

extern "C" {
void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
size_t strlen(const char *);
int vsnprintf(char *, size_t, const char *, __builtin_va_list);
char *strerror(int);
int __raddle_has_handler(void *object, const std::type_info *type);
[[noreturn]] void __raddle_unwind(void *object, const std::type_info *type);
void *__raddle_upcast(void *object, const std::type_info *type, const std::type_info *wanted);
[[noreturn]] void __raddle_uncaught(const std::type_info *type, const char *what, int must_not_leave);
[[noreturn]] void __raddle_terminate();
}

// The kinds of type information. Their destructors make the compiler put the tables and the types of the language here.

namespace __cxxabiv1 {
#define KIND(name) \
	class name : public std::type_info { \
		virtual ~name(); \
	}; \
	name::~name() {}
KIND(__fundamental_type_info)
KIND(__array_type_info)
KIND(__function_type_info)
KIND(__enum_type_info)
KIND(__class_type_info)
KIND(__si_class_type_info)
KIND(__vmi_class_type_info)
KIND(__pbase_type_info)
KIND(__pointer_type_info)
KIND(__pointer_to_member_type_info)
}

std::type_info::~type_info() {}

namespace {
struct Head {
	const std::type_info *type;
	void *real; // the exception: another one's where it is thrown again by a pointer, in whichever thread
	void *part; // what the handler gets that was found last
	void (*destructor)(void *);
	Head *next; // of those that are caught
	int references;
	int handlers; // negative while it is thrown again
	char padding[16];
};
static_assert(sizeof(Head) == 64, "the machine knows where the first three are");

thread_local Head *caught;
thread_local unsigned uncaught;

Head *head(void *object) { return (Head *)object - 1; }
void *object(Head *head) { return head + 1; }

void acquire(void *object) { __atomic_fetch_add(&head(object)->references, 1, __ATOMIC_RELAXED); }

void release(void *thrown)
{
	Head *h = head(thrown);
	if (__atomic_fetch_sub(&h->references, 1, __ATOMIC_ACQ_REL) != 1)
		return;
	if (h->real != thrown)
		release(h->real);
	else if (h->destructor)
		h->destructor(thrown);
	free(h);
}
}

namespace std {
class exception {
public:
	virtual ~exception() noexcept;
	virtual const char *what() const noexcept;
};
exception::~exception() noexcept {}
const char *exception::what() const noexcept { return "std::exception"; }

// Exceptions without a text of their own.
#define SILENT(name, base, text) \
	class name : public base { \
	public: \
		~name() noexcept override; \
		const char *what() const noexcept override; \
	}; \
	name::~name() noexcept {} \
	const char *name::what() const noexcept { return text; }
SILENT(bad_exception, exception, "std::bad_exception")
SILENT(bad_alloc, exception, "std::bad_alloc")
SILENT(bad_array_new_length, bad_alloc, "std::bad_array_new_length")
SILENT(bad_cast, exception, "std::bad_cast")
SILENT(bad_typeid, exception, "std::bad_typeid")
SILENT(bad_function_call, exception, "bad_function_call")
SILENT(bad_weak_ptr, exception, "bad_weak_ptr")

template <class C> struct char_traits;
template <class C> class allocator;
inline namespace __cxx11 {
template <class C, class T, class A> class basic_string; // begins with where it is and how long
}
typedef basic_string<char, char_traits<char>, allocator<char>> string;

namespace {
char *copy_text(const char *text, size_t length)
{
	char *copy = (char *)malloc(length + 1);
	memcpy(copy, text, length);
	copy[length] = 0;
	return copy;
}
char *copy_text(const char *text) { return copy_text(text, strlen(text)); }
char *copy_text(const string &text)
{
	auto *parts = (const size_t *)&text;
	return copy_text((const char *)parts[0], parts[1]);
}
}

// Exceptions with a text.
#define FIRST(name) \
	class name : public exception { \
		char *text; \
	public: \
		explicit name(const char *); \
		explicit name(const string &); \
		name(const name &) noexcept; \
		name(name &&) noexcept; \
		name &operator=(const name &) noexcept; \
		name &operator=(name &&) noexcept; \
		~name() noexcept override; \
		const char *what() const noexcept override; \
	}; \
	name::name(const char *what) : text(copy_text(what)) {} \
	name::name(const string &what) : text(copy_text(what)) {} \
	name::name(const name &other) noexcept : exception(other), text(copy_text(other.text)) {} \
	name::name(name &&other) noexcept : exception(other), text(copy_text(other.text)) {} \
	name &name::operator=(const name &other) noexcept \
	{ \
		char *copy = copy_text(other.text); \
		free(text); \
		text = copy; \
		return *this; \
	} \
	name &name::operator=(name &&other) noexcept { return *this = (const name &)other; } \
	name::~name() noexcept { free(text); } \
	const char *name::what() const noexcept { return text; }
FIRST(logic_error)
FIRST(runtime_error)

#define DERIVED(name, base) \
	class name : public base { \
	public: \
		explicit name(const char *); \
		explicit name(const string &); \
		~name() noexcept override; \
	}; \
	name::name(const char *what) : base(what) {} \
	name::name(const string &what) : base(what) {} \
	name::~name() noexcept {}
DERIVED(domain_error, logic_error)
DERIVED(invalid_argument, logic_error)
DERIVED(length_error, logic_error)
DERIVED(out_of_range, logic_error)
DERIVED(range_error, runtime_error)
DERIVED(overflow_error, runtime_error)
DERIVED(underflow_error, runtime_error)

// Codes of errors and their categories.

inline namespace _V2 {
class error_category;
}
struct error_code {
	int value;
	const error_category *category;
};
struct error_condition {
	int value;
	const error_category *category;
};
inline namespace _V2 {
class error_category {
public:
	virtual ~error_category();
	virtual const char *name() const noexcept = 0;
	// A string is returned by its address, which comes before the object: here it is `this`.
	virtual void _M_message(const error_category *self, int);
	virtual void message(const error_category *self, int) = 0;
	virtual error_condition default_error_condition(int) const noexcept;
	virtual bool equivalent(int, const error_condition &) const noexcept;
	virtual bool equivalent(const error_code &, int) const noexcept;
};
error_category::~error_category() {}
void error_category::_M_message(const error_category *self, int value) { ((error_category *)this)->message(self, value); }
error_condition error_category::default_error_condition(int value) const noexcept { return {value, this}; }
bool error_category::equivalent(int value, const error_condition &of) const noexcept
{
	error_condition mine = default_error_condition(value);
	return mine.category == of.category && mine.value == of.value;
}
bool error_category::equivalent(const error_code &code, int value) const noexcept { return code.category == this && code.value == value; }
}

namespace {
void make_string(void *at, const char *text)
{
	struct Parts {
		char *start;
		size_t length;
		union {
			char near[16];
			size_t room;
		};
	} *string = (Parts *)at;
	string->length = strlen(text);
	if (string->length < sizeof string->near) {
		string->start = string->near;
	} else {
		string->start = (char *)operator new(string->length + 1);
		string->room = string->length;
	}
	memcpy(string->start, text, string->length + 1);
}

const char *future_text(int value)
{
	switch (value) {
	case 1: return "Future already retrieved";
	case 2: return "Promise already satisfied";
	case 3: return "No associated state";
	case 4: return "Broken promise";
	default: return "Unknown error";
	}
}

#define CATEGORY(type, its_name, text) \
	struct type final : error_category { \
		const char *name() const noexcept override { return its_name; } \
		void message(const error_category *, int value) override { make_string((void *)this, text); } \
		error_condition default_error_condition(int value) const noexcept override; \
	}; \
	[[clang::no_destroy]] type type##_instance;
CATEGORY(Generic, "generic", strerror(value))
CATEGORY(System, "system", strerror(value))
CATEGORY(Future, "future", future_text(value))
error_condition Generic::default_error_condition(int value) const noexcept { return {value, this}; }
error_condition System::default_error_condition(int value) const noexcept { return {value, &Generic_instance}; }
error_condition Future::default_error_condition(int value) const noexcept { return {value, this}; }
}

inline namespace _V2 {
const error_category &generic_category() noexcept { return Generic_instance; }
const error_category &system_category() noexcept { return System_instance; }
}
const error_category &future_category() noexcept { return Future_instance; }

class system_error : public runtime_error {
	error_code code;
public:
	system_error(error_code code, const char *what) : runtime_error(what), code(code) {}
	~system_error() noexcept override;
};
system_error::~system_error() noexcept {}

class future_error : public logic_error {
	error_code code;
public:
	future_error(error_code code, const char *what) : logic_error(what), code(code) {}
	~future_error() noexcept override;
	const char *what() const noexcept override;
};
future_error::~future_error() noexcept {}
const char *future_error::what() const noexcept { return logic_error::what(); }

// What the headers throw.

[[noreturn]] void __throw_bad_exception() { throw bad_exception(); }
[[noreturn]] void __throw_bad_alloc() { throw bad_alloc(); }
[[noreturn]] void __throw_bad_array_new_length() { throw bad_array_new_length(); }
[[noreturn]] void __throw_bad_cast() { throw bad_cast(); }
[[noreturn]] void __throw_bad_typeid() { throw bad_typeid(); }
[[noreturn]] void __throw_bad_function_call() { throw bad_function_call(); }
[[noreturn]] void __throw_logic_error(const char *what) { throw logic_error(what); }
[[noreturn]] void __throw_domain_error(const char *what) { throw domain_error(what); }
[[noreturn]] void __throw_invalid_argument(const char *what) { throw invalid_argument(what); }
[[noreturn]] void __throw_length_error(const char *what) { throw length_error(what); }
[[noreturn]] void __throw_out_of_range(const char *what) { throw out_of_range(what); }
[[noreturn]] void __throw_runtime_error(const char *what) { throw runtime_error(what); }
[[noreturn]] void __throw_range_error(const char *what) { throw range_error(what); }
[[noreturn]] void __throw_overflow_error(const char *what) { throw overflow_error(what); }
[[noreturn]] void __throw_underflow_error(const char *what) { throw underflow_error(what); }
[[noreturn]] void __throw_system_error(int value) { throw system_error({value, &Generic_instance}, strerror(value)); }
[[noreturn]] void __throw_future_error(int value)
{
	char text[80] = "std::future_error: ";
	size_t length = strlen(text);
	const char *what = future_text(value);
	memcpy(text + length, what, strlen(what) + 1);
	throw future_error({value, &Future_instance}, text);
}
[[noreturn]] void __throw_out_of_range_fmt(const char *format, ...)
{
	char text[512];
	__builtin_va_list values;
	__builtin_va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	__builtin_va_end(values);
	throw out_of_range(text);
}

// Termination.

typedef void (*terminate_handler)();
static terminate_handler handler;

terminate_handler get_terminate() noexcept { return __atomic_load_n(&handler, __ATOMIC_ACQUIRE); }
terminate_handler set_terminate(terminate_handler then) noexcept { return __atomic_exchange_n(&handler, then, __ATOMIC_ACQ_REL); }
bool uncaught_exception() noexcept { return uncaught != 0; }
int uncaught_exceptions() noexcept { return (int)uncaught; }

namespace {
[[noreturn]] void report(Head *h, int must_not_leave)
{
	auto *part = (exception *)__raddle_upcast(h->real, h->type, &typeid(exception));
	__raddle_uncaught(h->type, part ? part->what() : nullptr, must_not_leave);
}
}

[[noreturn]] void terminate() noexcept
{
	if (terminate_handler then = get_terminate())
		then();
	if (caught)
		report(caught, 1);
	__raddle_terminate();
}
[[noreturn]] void unexpected() { terminate(); }

class nested_exception {
	void *nested;
public:
	virtual ~nested_exception() noexcept;
};
nested_exception::~nested_exception() noexcept
{
	if (nested)
		release(nested);
}

// Exceptions that are pointed to.

namespace __exception_ptr {
class exception_ptr {
	void *object;
	void _M_addref() noexcept;
	void _M_release() noexcept;
	void *_M_get() const noexcept;
public:
	exception_ptr(void *) noexcept;
	exception_ptr() noexcept;
	exception_ptr(const exception_ptr &) noexcept;
	~exception_ptr() noexcept;
	exception_ptr &operator=(const exception_ptr &) noexcept;
	exception_ptr &operator=(exception_ptr &&) noexcept;
	void swap(exception_ptr &) noexcept;
	bool operator!() const noexcept;
	explicit operator bool() const noexcept;
	const class type_info *__cxa_exception_type() const noexcept;
	void *thrown() const { return object; }
};
void exception_ptr::_M_addref() noexcept
{
	if (object)
		acquire(object);
}
void exception_ptr::_M_release() noexcept
{
	if (object) {
		release(object);
		object = nullptr;
	}
}
void *exception_ptr::_M_get() const noexcept { return object; }
__attribute__((weak)) exception_ptr::exception_ptr(void *thrown) noexcept : object(thrown) { _M_addref(); }
__attribute__((weak)) exception_ptr::exception_ptr() noexcept : object(nullptr) {}
__attribute__((weak)) exception_ptr::exception_ptr(const exception_ptr &other) noexcept : object(other.object) { _M_addref(); }
__attribute__((weak)) exception_ptr::~exception_ptr() noexcept { _M_release(); }
__attribute__((weak)) exception_ptr &exception_ptr::operator=(const exception_ptr &other) noexcept
{
	exception_ptr(other).swap(*this);
	return *this;
}
__attribute__((weak)) void exception_ptr::swap(exception_ptr &other) noexcept
{
	void *mine = object;
	object = other.object;
	other.object = mine;
}
__attribute__((weak)) const class type_info *exception_ptr::__cxa_exception_type() const noexcept { return object ? head(object)->type : nullptr; }
}

using __exception_ptr::exception_ptr;

exception_ptr current_exception() noexcept { return caught ? exception_ptr(caught->real) : exception_ptr(); }

}

extern "C" {

void *__cxa_allocate_exception(size_t size) noexcept
{
	Head *h = (Head *)malloc(sizeof(Head) + size);
	h->type = nullptr;
	h->real = object(h);
	h->part = h->real;
	h->destructor = nullptr;
	h->next = nullptr;
	h->references = 1;
	h->handlers = 0;
	return object(h);
}

void *__cxa_begin_catch(void *thrown) noexcept;

void __cxa_free_exception(void *thrown) noexcept { free(head(thrown)); }

void *__cxa_init_primary_exception(void *thrown, std::type_info *type, void (*destructor)(void *)) noexcept
{
	Head *h = head(thrown);
	h->type = type;
	h->destructor = destructor;
	h->references = 0;
	return h;
}

[[noreturn]] static void go(void *thrown)
{
	Head *h = head(thrown);
	if (!__raddle_has_handler(thrown, h->type)) {
		if (std::terminate_handler then = std::get_terminate()) {
			__cxa_begin_catch(thrown);
			then();
		}
		std::report(h, 0);
	}
	uncaught++;
	__raddle_unwind(thrown, h->type);
}

[[noreturn]] void __cxa_throw(void *thrown, std::type_info *type, void (*destructor)(void *))
{
	Head *h = head(thrown);
	h->type = type;
	h->destructor = destructor;
	go(thrown);
}

void *__cxa_get_exception_ptr(void *thrown) noexcept { return head(thrown)->part; }

void *__cxa_begin_catch(void *thrown) noexcept
{
	Head *h = head(thrown);
	h->handlers = h->handlers < 0 ? -h->handlers + 1 : h->handlers + 1;
	if (caught != h) {
		h->next = caught;
		caught = h;
	}
	uncaught--;
	return h->part;
}

void __cxa_end_catch()
{
	Head *h = caught;
	if (!h)
		return;
	if (h->handlers < 0) {
		if (++h->handlers == 0)
			caught = h->next;
	} else if (--h->handlers == 0) {
		caught = h->next;
		release(object(h));
	}
}

[[noreturn]] void __cxa_rethrow()
{
	Head *h = caught;
	if (!h)
		std::terminate();
	h->handlers = -h->handlers;
	go(object(h));
}

std::type_info *__cxa_current_exception_type() { return caught ? (std::type_info *)caught->type : nullptr; }
[[noreturn]] void __cxa_bad_cast() { std::__throw_bad_cast(); }
[[noreturn]] void __cxa_bad_typeid() { std::__throw_bad_typeid(); }
[[noreturn]] void __cxa_throw_bad_array_new_length() { std::__throw_bad_array_new_length(); }
[[noreturn]] void __cxa_call_unexpected(void *) { std::terminate(); }
[[noreturn]] void __cxa_call_terminate(void *thrown) noexcept
{
	if (thrown)
		__cxa_begin_catch(thrown);
	std::terminate();
}

}

namespace std {
// Threads that throw the same exception have a head each: where it is caught is not shared.
[[noreturn]] void rethrow_exception(exception_ptr pointer)
{
	void *real = pointer.thrown(), *again = __cxa_allocate_exception(0);
	acquire(real);
	head(again)->type = head(real)->type;
	head(again)->real = real;
	go(again);
}
}
