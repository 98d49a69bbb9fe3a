// The streams of C++: what libstdc++ has in a binary that cannot be checked, compiled from its own headers.
//
// The headers promise that the classes for `char` are instantiated elsewhere: here. What they leave to the binary is
// written below for the locale "C", the only one that there is: numbers are printed by `snprintf` and read by
// `strtod`. The layouts and names are the library's promise to compiled programs, so the headers need not be those
// that the program is compiled with. What goes to `cout`, `cerr` and `clog` is printed at once, and the program sees
// the reads that it takes and no write, so that threads that print do not meet there.

#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <system_error>

extern "C" void __raddle_refuse(const char *what);

namespace std {

// The locale

locale::id ctype<char>::id;

namespace {
constexpr bool is_in(int c, int low, int high) { return c >= low && c <= high; }

struct Classes {
	ctype_base::mask of[256] = {};
	constexpr Classes()
	{
		for (int c = 0; c < 128; c++) {
			bool lower = is_in(c, 'a', 'z'), upper = is_in(c, 'A', 'Z'), digit = is_in(c, '0', '9');
			bool hex = digit || is_in(c, 'a', 'f') || is_in(c, 'A', 'F'), graph = is_in(c, '!', '~');
			of[c] = (lower ? ctype_base::lower | ctype_base::alpha : 0) | (upper ? ctype_base::upper | ctype_base::alpha : 0)
				| (digit ? ctype_base::digit : 0) | (hex ? ctype_base::xdigit : 0)
				| (c == ' ' || is_in(c, '\t', '\r') ? ctype_base::space : 0) | (graph || c == ' ' ? ctype_base::print : 0)
				| (graph && !lower && !upper && !digit ? ctype_base::punct : 0) | (c < 32 || c == 127 ? ctype_base::cntrl : 0)
				| (c == ' ' || c == '\t' ? ctype_base::blank : 0);
		}
	}
};
constexpr Classes classes;

// Things that are made before the program's own and never end.
#define FIRST [[clang::no_destroy, gnu::init_priority(101)]]
}

locale::facet::~facet() {}
ctype<char>::ctype(const mask *table, bool, size_t refs) : facet(refs), _M_table(table ? table : classes.of), _M_widen_ok(1), _M_narrow_ok(1)
{
	for (int c = 0; c < 256; c++)
		_M_widen[c] = _M_narrow[c] = (char)c;
}
ctype<char>::~ctype() {}
const ctype_base::mask *ctype<char>::classic_table() throw() { return classes.of; }
void ctype<char>::_M_widen_init() const {}
void ctype<char>::_M_narrow_init() const {}
char ctype<char>::do_toupper(char c) const { return is_in(c, 'a', 'z') ? c - 32 : c; }
char ctype<char>::do_tolower(char c) const { return is_in(c, 'A', 'Z') ? c + 32 : c; }
const char *ctype<char>::do_toupper(char *from, const char *to) const
{
	for (; from < to; from++)
		*from = do_toupper(*from);
	return to;
}
const char *ctype<char>::do_tolower(char *from, const char *to) const
{
	for (; from < to; from++)
		*from = do_tolower(*from);
	return to;
}

locale::locale() throw() : _M_impl(nullptr) {}
locale::locale(const locale &) throw() : _M_impl(nullptr) {}
locale::locale(const char *name) : _M_impl(nullptr)
{
	if (*name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
		throw runtime_error("locale::facet::_S_create_c_locale name not valid");
}
locale::~locale() throw() {}
const locale &locale::operator=(const locale &) throw() { return *this; }
string locale::name() const { return "C"; }
bool locale::operator==(const locale &) const throw() { return true; }
locale locale::global(const locale &) { return locale(); }

namespace {
FIRST ctype<char> characters(classes.of, false, 1);
FIRST locale c_locale;
}

const locale &locale::classic() { return c_locale; }

template <> bool has_facet<ctype<char>>(const locale &) throw() { return true; }
template <> const ctype<char> &use_facet<ctype<char>>(const locale &) { return characters; }

// What all streams have

namespace {
struct StreamCategory final : error_category {
	const char *name() const noexcept override { return "iostream"; }
	string message(int value) const override { return value == (int)io_errc::stream ? "iostream error" : "Unknown error"; }
};
FIRST StreamCategory category;
}

const error_category &iostream_category() noexcept { return category; }

ios_base::failure::failure(const string &what) : system_error(io_errc::stream, what) {}
ios_base::failure::failure(const string &what, const error_code &code) : system_error(code, what) {}
ios_base::failure::failure(const char *what, const error_code &code) : system_error(code, what) {}
ios_base::failure::~failure() {}
const char *ios_base::failure::what() const throw() { return system_error::what(); }
void __throw_ios_failure(const char *what) { throw ios_base::failure(what); }
void __throw_ios_failure(const char *what, int error)
{
	throw ios_base::failure(what, error ? error_code(error, generic_category()) : error_code(io_errc::stream));
}

ios_base::ios_base() throw()
	: _M_precision(), _M_width(), _M_flags(), _M_exception(), _M_streambuf_state(), _M_callbacks(), _M_word_size(_S_local_word_size),
	  _M_word(_M_local_word)
{
}
void ios_base::_M_init() throw()
{
	_M_precision = 6;
	_M_width = 0;
	_M_flags = skipws | dec;
}
void ios_base::_M_call_callbacks(event what) throw()
{
	for (_Callback_list *each = _M_callbacks; each; each = each->_M_next)
		each->_M_fn(what, *this, each->_M_index);
}
void ios_base::_M_dispose_callbacks() throw()
{
	while (_Callback_list *first = _M_callbacks) {
		if (first->_M_remove_reference() != 0)
			break;
		_M_callbacks = first->_M_next;
		delete first;
	}
	_M_callbacks = nullptr;
}
void ios_base::register_callback(event_callback function, int index) { _M_callbacks = new _Callback_list(function, index, _M_callbacks); }
ios_base::~ios_base()
{
	_M_call_callbacks(erase_event);
	_M_dispose_callbacks();
	if (_M_word != _M_local_word)
		delete[] _M_word;
}
int ios_base::xalloc() throw()
{
	static int last = 3;
	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}
ios_base::_Words &ios_base::_M_grow_words(int index, bool)
{
	_Words *more = new _Words[index + 1];
	for (int i = 0; i < _M_word_size; i++)
		more[i] = _M_word[i];
	if (_M_word != _M_local_word)
		delete[] _M_word;
	_M_word = more;
	_M_word_size = index + 1;
	return _M_word[index];
}
locale ios_base::imbue(const locale &) throw() { return locale(); }
bool ios_base::sync_with_stdio(bool) { return true; }
void ios_base::_M_swap(ios_base &other) noexcept
{
	swap(_M_precision, other._M_precision);
	swap(_M_width, other._M_width);
	swap(_M_flags, other._M_flags);
	swap(_M_exception, other._M_exception);
	swap(_M_streambuf_state, other._M_streambuf_state);
	swap(_M_callbacks, other._M_callbacks);
	if (_M_word != _M_local_word || other._M_word != other._M_local_word)
		__raddle_refuse("swapping streams with words of their own");
	swap(_M_local_word, other._M_local_word);
}
void ios_base::_M_move(ios_base &other) noexcept { _M_swap(other); }

template <> void basic_ios<char>::_M_cache_locale(const locale &)
{
	_M_ctype = &characters;
	_M_num_put = nullptr;
	_M_num_get = nullptr;
}

// Output

namespace {
// Sends everything to a file of C at once.
class Output final : public streambuf {
	FILE *const *to;
	int_type overflow(int_type c) override { return c == EOF ? 0 : putc(c, *to); }
	streamsize xsputn(const char *text, streamsize n) override { return (streamsize)fwrite(text, 1, (size_t)n, *to); }
public:
	explicit Output(FILE *const &to) : to(&to) {}
};
FIRST Output standard_output(stdout), standard_error(stderr);

bool is_standard(const streambuf *buffer) { return buffer == &standard_output || buffer == &standard_error; }

struct Format {
	streamsize precision, width;
	unsigned flags, exceptions, state;
	bool has(unsigned flag) const { return flags & flag; }
	unsigned base() const { return flags & ios_base::basefield; }
};

// One read: these stand in a row after the table of virtual functions.
Format format_of(const ios_base &of)
{
	Format format;
	memcpy(&format, (const char *)&of + sizeof(void *), 28);
	return format;
}

ostream &send(ostream &to, const char *text, streamsize n)
{
	streambuf *buffer = to.rdbuf();
	if (is_standard(buffer)) {
		buffer->sputn(text, n);
		return to;
	}
	ostream::sentry ready(to);
	if (!ready)
		return to;
	bool is_sent = false;
	try {
		is_sent = buffer->sputn(text, n) == n;
	} catch (...) {
		if (to.exceptions() & ios_base::badbit)
			throw;
	}
	if (!is_sent)
		to.setstate(ios_base::badbit);
	return to;
}

// Sends a text that is filled up to the width; as much of it as `kept` stays before the filling.
ostream &send_filled(ostream &to, const Format &format, const char *text, streamsize n, streamsize kept = 0)
{
	if (format.state)
		return send(to, text, 0);
	if (format.width)
		to.width(0);
	if (format.width <= n)
		return send(to, text, n);
	if ((format.flags & ios_base::adjustfield) == ios_base::left)
		kept = n;
	streamsize missing = format.width - n;
	char *all = (char *)__builtin_alloca((size_t)format.width);
	memcpy(all, text, (size_t)kept);
	memset(all + kept, to.fill(), (size_t)missing);
	memcpy(all + kept + missing, text + kept, (size_t)(n - kept));
	return send(to, all, format.width);
}

ostream &send_number(ostream &to, const Format &format, const char *text, streamsize n)
{
	streamsize kept = 0;
	if ((format.flags & ios_base::adjustfield) == ios_base::internal)
		kept = *text == '-' || *text == '+' ? 1 : n > 1 && *text == '0' && (text[1] | 32) == 'x' ? 2 : 0;
	return send_filled(to, format, text, n, kept);
}

ostream &send_integer(ostream &to, const Format &format, long value, bool is_signed)
{
	bool is_hex = format.base() == ios_base::hex, is_oct = format.base() == ios_base::oct;
	char text[32], how[6] = "%", *at = how + 1;
	if (is_hex || is_oct ? format.has(ios_base::showbase) : is_signed && format.has(ios_base::showpos))
		*at++ = is_hex || is_oct ? '#' : '+';
	*at++ = 'l';
	*at = is_hex ? (format.has(ios_base::uppercase) ? 'X' : 'x') : is_oct ? 'o' : is_signed ? 'd' : 'u';
	return send_number(to, format, text, snprintf(text, sizeof text, how, value));
}

template <class T> ostream &send_float(ostream &to, T value, const char *length)
{
	Format format = format_of(to);
	unsigned kind = format.flags & ios_base::floatfield;
	bool is_hex = kind == (ios_base::fixed | ios_base::scientific);
	char how[10] = "%", *at = how + 1;
	if (format.has(ios_base::showpos))
		*at++ = '+';
	if (format.has(ios_base::showpoint))
		*at++ = '#';
	if (!is_hex)
		*at++ = '.', *at++ = '*';
	for (; *length; length++)
		*at++ = *length;
	*at = is_hex ? 'a' : kind == ios_base::fixed ? 'f' : kind == ios_base::scientific ? 'e' : 'g';
	if (format.has(ios_base::uppercase))
		*at -= 32;
	int precision = format.precision < 0 ? 6 : (int)format.precision;
	size_t room = (size_t)precision + (kind == ios_base::fixed ? numeric_limits<T>::max_exponent10 : 0) + 32;
	char *text = (char *)__builtin_alloca(room);
	int n = is_hex ? snprintf(text, room, how, value) : snprintf(text, room, how, precision, value);
	return send_number(to, format, text, n);
}
}

template <> template <> ostream &ostream::_M_insert(long value) { return send_integer(*this, format_of(*this), value, true); }
template <> template <> ostream &ostream::_M_insert(unsigned long value) { return send_integer(*this, format_of(*this), (long)value, false); }
template <> template <> ostream &ostream::_M_insert(long long value) { return send_integer(*this, format_of(*this), value, true); }
template <> template <> ostream &ostream::_M_insert(unsigned long long value)
{
	return send_integer(*this, format_of(*this), (long)value, false);
}
template <> template <> ostream &ostream::_M_insert(bool value)
{
	Format format = format_of(*this);
	if (!format.has(ios_base::boolalpha))
		return send_integer(*this, format, value, true);
	return value ? send_filled(*this, format, "true", 4) : send_filled(*this, format, "false", 5);
}
template <> template <> ostream &ostream::_M_insert(double value) { return send_float(*this, value, ""); }
template <> template <> ostream &ostream::_M_insert(long double value) { return send_float(*this, value, "L"); }
template <> template <> ostream &ostream::_M_insert(const void *value)
{
	Format format = format_of(*this);
	format.flags = (format.flags & ~(ios_base::basefield | ios_base::uppercase)) | ios_base::hex | ios_base::showbase;
	return send_integer(*this, format, (long)value, false);
}
template <> ostream &__ostream_insert(ostream &to, const char *text, streamsize n) { return send_filled(to, format_of(to), text, n); }
template <> ostream &ostream::put(char c) { return send(*this, &c, 1); }
template <> ostream &ostream::write(const char *text, streamsize n) { return send(*this, text, n); }
template <> ostream &ostream::flush()
{
	streambuf *buffer = rdbuf();
	if (buffer && !is_standard(buffer) && buffer->pubsync() == -1)
		setstate(badbit);
	return *this;
}

template <> streamsize __copy_streambufs_eof(streambuf *from, streambuf *to, bool &is_at_end)
{
	streamsize n = 0;
	is_at_end = true;
	for (int c = from->sgetc(); c != EOF; c = from->snextc(), n++) {
		if (to->sputc((char)c) == EOF) {
			is_at_end = false;
			break;
		}
	}
	return n;
}

// Input

namespace {
// What C reads from its standard input.
class Input final : public streambuf {
	int_type uflow() override { return getchar(); }
	int_type underflow() override { return ungetc(getchar(), stdin); }
	int_type pbackfail(int_type c) override { return c == EOF ? EOF : ungetc(c, stdin); }
};
FIRST Input standard_input;

int digit(int c) { return is_in(c, '0', '9') ? c - '0' : is_in(c | 32, 'a', 'f') ? (c | 32) - 'a' + 10 : 99; }

template <class T> ios_base::iostate read_integer(streambuf *from, ios_base::fmtflags flags, T &value)
{
	flags &= ios_base::basefield;
	unsigned base = flags == ios_base::oct ? 8 : flags == ios_base::hex ? 16 : flags ? 10 : 0;
	int c = from->sgetc();
	bool negative = c == '-', has_digits = false, is_over = false;
	unsigned long sum = 0;
	if (c == '-' || c == '+')
		c = from->snextc();
	if (c == '0' && (base == 0 || base == 16)) {
		has_digits = true;
		c = from->snextc();
		if ((c | 32) == 'x') {
			has_digits = false;
			base = 16;
			c = from->snextc();
		} else if (base == 0) {
			base = 8;
		}
	}
	base = base ? base : 10;
	for (; digit(c) < (int)base; c = from->snextc()) {
		has_digits = true;
		is_over |= __builtin_mul_overflow(sum, base, &sum);
		is_over |= __builtin_add_overflow(sum, digit(c), &sum);
	}
	T least = numeric_limits<T>::min(), most = numeric_limits<T>::max();
	bool goes_below = negative && least != 0;
	is_over |= sum > (goes_below ? 0 - (unsigned long)least : (unsigned long)most);
	value = !has_digits ? 0 : is_over ? (goes_below ? least : most) : (T)(negative ? 0 - sum : sum);
	return (c == EOF ? ios_base::eofbit : ios_base::goodbit) | (has_digits && !is_over ? ios_base::goodbit : ios_base::failbit);
}

ios_base::iostate read_word(streambuf *from, bool &value)
{
	const char *yes = "true", *no = "false";
	int n = 0, c = from->sgetc();
	const char *word = c == *yes ? yes : no;
	for (; word[n] && c == word[n]; n++)
		c = word[n + 1] ? from->snextc() : (from->sbumpc(), 0);
	value = word == yes && !word[n];
	return (c == EOF ? ios_base::eofbit : ios_base::goodbit) | (word[n] ? ios_base::failbit : ios_base::goodbit);
}

ios_base::iostate read_integer(streambuf *from, ios_base::fmtflags flags, bool &value)
{
	if (flags & ios_base::boolalpha)
		return read_word(from, value);
	long number;
	ios_base::iostate state = read_integer(from, flags, number);
	value = number != 0;
	return number == 0 || number == 1 ? state : state | ios_base::failbit;
}

void convert(const char *text, char **end, float &value) { value = strtof(text, end); }
void convert(const char *text, char **end, double &value) { value = strtod(text, end); }
void convert(const char *text, char **end, long double &value) { value = strtold(text, end); }

template <class T> ios_base::iostate read_float(streambuf *from, ios_base::fmtflags, T &value)
{
	string text;
	bool has_digits = false, has_point = false, has_exponent = false;
	int c = from->sgetc();
	for (;; c = from->snextc()) {
		bool is_first = text.empty() || (text.back() | 32) == 'e';
		if (is_in(c, '0', '9'))
			has_digits = true;
		else if (c == '.' && !has_point && !has_exponent)
			has_point = true;
		else if ((c | 32) == 'e' && has_digits && !has_exponent)
			has_exponent = true;
		else if (!(is_first && (c == '-' || c == '+')))
			break;
		text += (char)c;
	}
	ios_base::iostate state = c == EOF ? ios_base::eofbit : ios_base::goodbit;
	char *end;
	convert(text.c_str(), &end, value);
	if (text.empty() || *end) {
		value = 0;
		return state | ios_base::failbit;
	}
	if (__builtin_isinf(value)) {
		value = value > 0 ? numeric_limits<T>::max() : numeric_limits<T>::lowest();
		return state | ios_base::failbit;
	}
	return state;
}

// Reads by a function that gives the state in which the stream is left.
template <class Read> istream &extract(istream &from, Read read, bool keeps_space = false)
{
	istream::sentry ready(from, keeps_space);
	if (!ready)
		return from;
	ios_base::iostate state = ios_base::goodbit;
	try {
		state = read(from.rdbuf());
	} catch (...) {
		if (from.exceptions() & ios_base::badbit)
			throw;
		state = ios_base::badbit;
	}
	if (state)
		from.setstate(state);
	return from;
}
template <class T> istream &extract_integer(istream &from, T &value)
{
	return extract(from, [&](streambuf *buffer) { return read_integer(buffer, from.flags(), value); });
}
template <class T> istream &extract_float(istream &from, T &value)
{
	return extract(from, [&](streambuf *buffer) { return read_float(buffer, from.flags(), value); });
}

bool is_space(int c) { return c != EOF && (classes.of[(unsigned char)c] & ctype_base::space); }

ios_base::iostate ending(bool is_at_end, bool has_failed)
{
	return (is_at_end ? ios_base::eofbit : ios_base::goodbit) | (has_failed ? ios_base::failbit : ios_base::goodbit);
}
}

template <> istream &istream::operator>>(short &value) { return extract_integer(*this, value); }
template <> istream &istream::operator>>(int &value) { return extract_integer(*this, value); }
template <> template <> istream &istream::_M_extract(unsigned short &value) { return extract_integer(*this, value); }
template <> template <> istream &istream::_M_extract(unsigned &value) { return extract_integer(*this, value); }
template <> template <> istream &istream::_M_extract(long &value) { return extract_integer(*this, value); }
template <> template <> istream &istream::_M_extract(unsigned long &value) { return extract_integer(*this, value); }
template <> template <> istream &istream::_M_extract(long long &value) { return extract_integer(*this, value); }
template <> template <> istream &istream::_M_extract(unsigned long long &value) { return extract_integer(*this, value); }
template <> template <> istream &istream::_M_extract(bool &value) { return extract_integer(*this, value); }
template <> template <> istream &istream::_M_extract(float &value) { return extract_float(*this, value); }
template <> template <> istream &istream::_M_extract(double &value) { return extract_float(*this, value); }
template <> template <> istream &istream::_M_extract(long double &value) { return extract_float(*this, value); }
template <> template <> istream &istream::_M_extract(void *&value)
{
	return extract(*this, [&](streambuf *buffer) { return read_integer(buffer, hex, (unsigned long &)value); });
}

template <> istream &operator>>(istream &from, string &text)
{
	return extract(from, [&](streambuf *buffer) {
		text.clear();
		streamsize most = from.width() > 0 ? from.width() : numeric_limits<streamsize>::max(), n = 0;
		int c = buffer->sgetc();
		for (; n < most && c != EOF && !is_space(c); n++, c = buffer->snextc())
			text += (char)c;
		from.width(0);
		return ending(c == EOF, n == 0);
	});
}

template <> istream &getline(istream &from, string &text, char end)
{
	return extract(from, [&](streambuf *buffer) {
		text.clear();
		int c = buffer->sgetc();
		bool is_empty = c == EOF;
		for (; c != EOF && c != (unsigned char)end; c = buffer->snextc())
			text += (char)c;
		if (c != EOF)
			buffer->sbumpc();
		return ending(c == EOF, is_empty);
	}, true);
}

void __istream_extract(istream &from, char *text, streamsize room)
{
	extract(from, [&](streambuf *buffer) {
		streamsize most = from.width() > 0 && from.width() < room ? from.width() : room, n = 0;
		int c = buffer->sgetc();
		for (; n < most - 1 && c != EOF && !is_space(c); c = buffer->snextc())
			text[n++] = (char)c;
		text[n] = 0;
		from.width(0);
		return ending(c == EOF && n < most - 1, n == 0);
	});
}

template <> istream &istream::getline(char *text, streamsize room, char end)
{
	_M_gcount = 0;
	if (room > 0)
		*text = 0;
	return extract(*this, [&](streambuf *buffer) {
		int c = buffer->sgetc();
		streamsize n = 0;
		for (; n < room - 1 && c != EOF && c != (unsigned char)end; c = buffer->snextc())
			text[n++] = (char)c;
		bool is_ended = c != EOF && c == (unsigned char)end;
		if (is_ended)
			buffer->sbumpc();
		_M_gcount = n + is_ended;
		if (room > 0)
			text[n] = 0;
		return ending(c == EOF, _M_gcount == 0 || (c != EOF && !is_ended));
	}, true);
}

template <> istream &istream::ignore(streamsize most, int_type end)
{
	_M_gcount = 0;
	return extract(*this, [&](streambuf *buffer) {
		bool is_unlimited = most == numeric_limits<streamsize>::max();
		while (is_unlimited || _M_gcount < most) {
			int c = buffer->sbumpc();
			if (c == EOF)
				return ending(true, false);
			_M_gcount++;
			if (c == end)
				break;
		}
		return goodbit;
	}, true);
}
template <> istream &istream::ignore(streamsize most) { return ignore(most, EOF); }

// What the headers promise

template class basic_streambuf<char>;
template class basic_ios<char>;
template class basic_ostream<char>;
template class basic_istream<char>;
template class basic_iostream<char>;
template class basic_stringbuf<char>;
template class basic_ostringstream<char>;
template class basic_istringstream<char>;
template class basic_stringstream<char>;
template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
template ostream &operator<<(ostream &, char);
template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const signed char *);
template ostream &operator<<(ostream &, const string &);
template istream &getline(istream &, string &);
template istream &ws(istream &);
template istream &operator>>(istream &, char &);
template istream &operator>>(istream &, unsigned char &);
template istream &operator>>(istream &, signed char &);
#define MANIPULATOR(type) \
	template ostream &operator<<(ostream &, type); \
	template istream &operator>>(istream &, type);
MANIPULATOR(_Setfill<char>)
MANIPULATOR(_Setiosflags)
MANIPULATOR(_Resetiosflags)
MANIPULATOR(_Setbase)
MANIPULATOR(_Setprecision)
MANIPULATOR(_Setw)

#define COMPLEX(type) \
	template ostream &operator<<(ostream &, const complex<type> &); \
	template istream &operator>>(istream &, complex<type> &);
COMPLEX(float)
COMPLEX(double)
COMPLEX(long double)

// Before C++ 20 `str` had no qualifier, and so another name.
#define STR(type, name) \
	extern "C" string str_of_##type(const type *stream) __asm__("_ZNKSt7__cxx11" #name "IcSt11char_traitsIcESaIcEE3strEv"); \
	extern "C" string str_of_##type(const type *stream) { return stream->str(); }
STR(stringbuf, 15basic_stringbuf)
STR(ostringstream, 19basic_ostringstream)
STR(istringstream, 19basic_istringstream)
STR(stringstream, 18basic_stringstream)

// The streams that there always are

FIRST ostream cout(&standard_output), cerr(&standard_error), clog(&standard_error);
FIRST istream cin(&standard_input);

namespace {
__attribute__((constructor(102))) void begin()
{
	cin.tie(&cout);
	cerr.tie(&cout);
	cerr.setf(ios_base::unitbuf);
}
}

ios_base::Init::Init() {}
ios_base::Init::~Init() {}

}
#endif
