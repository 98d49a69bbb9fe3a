// String streams, manipulators, and reading back what was written.
#include <bitset>
#include <complex>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

static void integers()
{
	std::ostringstream out;
	out << 42 << ' ' << -7 << ' ' << 123456789012345L << ' ' << std::numeric_limits<unsigned long>::max() << '\n';
	out << std::hex << 255 << ' ' << std::showbase << 255 << ' ' << std::uppercase << 48879 << ' ' << -1 << ' ' << 0 << '\n';
	out << std::oct << 8 << ' ' << std::noshowbase << 8 << std::dec << std::showpos << ' ' << 5 << ' ' << -5 << ' ' << 5u << '\n';
	out << std::noshowpos << (short)-3 << ' ' << (unsigned short)65535 << ' ' << true << ' ' << std::boolalpha << true << ' ' << false << '\n';
	out << 'c' << (signed char)'d' << (unsigned char)'e' << " text " << std::string("string") << '\n';
	std::cout << out.str();
}

static void widths()
{
	std::ostringstream out;
	out << '[' << std::setw(6) << 42 << "][" << std::left << std::setw(6) << 42 << "][" << std::internal << std::setw(6) << -42 << "]\n";
	out << std::setfill('*') << std::right << '[' << std::setw(8) << "text" << "][" << std::left << std::setw(8) << "text" << "]\n";
	out << std::internal << std::hex << std::showbase << std::setw(10) << 255 << ' ' << std::setw(3) << 'x' << std::setw(2) << "long" << '\n';
	out << std::setw(7) << std::boolalpha << true << std::right << std::setw(9) << 3.5 << std::setw(0) << 1 << '\n';
	std::cout << out.str() << out.str().size() << '\n';
}

static void floats()
{
	std::ostringstream out;
	out << 3.5 << ' ' << 1.0 / 3 << ' ' << 1e100 << ' ' << 1e-10 << ' ' << 100000.0 << ' ' << 1000000.0 << ' ' << 0.1f << ' ' << -0.0 << '\n';
	out << std::fixed << 3.14159265 << ' ' << std::setprecision(2) << 2.005 << ' ' << 1e10 << ' ' << std::setprecision(0) << 2.5 << '\n';
	out << std::scientific << std::setprecision(3) << 12345.678 << ' ' << std::uppercase << 0.00012 << std::nouppercase << '\n';
	out << std::defaultfloat << std::setprecision(10) << 2.0 / 3 << ' ' << std::showpoint << 1.0 << std::noshowpoint << ' ' << std::hexfloat << 1.5 << '\n';
	out << std::defaultfloat << std::numeric_limits<double>::infinity() << ' ' << std::fixed << std::setprecision(1) << 1e300 << '\n';
	std::cout << out.str();
}

static void reading()
{
	std::istringstream in("12 -5 0x1f 3.5 word 1e3 077 7x  tail of line\nnext line\n\nlast");
	int i, j, h;
	double d, e;
	std::string word, line;
	in >> i >> j >> std::hex >> h >> std::dec >> d >> word >> e;
	std::cout << i << ' ' << j << ' ' << h << ' ' << d << ' ' << word << ' ' << e << '\n';
	int octal, seven;
	char x;
	in >> std::setbase(8) >> octal >> std::dec >> seven >> x;
	std::cout << octal << ' ' << seven << ' ' << x << ' ' << in.tellg() << '\n';
	std::getline(in >> std::ws, line);
	std::cout << '<' << line << '>';
	while (std::getline(in, line))
		std::cout << '<' << line << '>';
	std::cout << in.eof() << in.fail() << in.bad() << '\n';
}

static void failing()
{
	std::istringstream in("99999999999 abc");
	int i = 5;
	in >> i;
	std::cout << i << ' ' << in.fail() << ' ';
	in.clear();
	in >> i;
	std::cout << i << ' ' << in.fail() << ' ' << !in << '\n';
	in.clear();
	std::string rest;
	in >> rest;
	std::cout << rest << ' ' << in.eof() << '\n';
	unsigned u;
	bool b, c;
	std::istringstream more("-1 true 0 2.5e 4");
	more >> u >> std::boolalpha >> b >> std::noboolalpha >> c;
	std::cout << u << ' ' << b << c << more.fail() << '\n';
	double d = 1;
	more >> d;
	std::cout << d << more.fail() << '\n';
	std::ostringstream strict;
	strict.exceptions(std::ios::failbit | std::ios::badbit);
	try {
		strict.setstate(std::ios::failbit);
	} catch (const std::ios_base::failure &why) {
		std::cout << "failure: " << why.what() << ' ' << (why.code() == std::io_errc::stream) << '\n';
	}
}

static void characters()
{
	std::stringstream both;
	both << "first second\nthird";
	char text[16];
	std::cout << (char)both.get() << (char)both.peek() << both.gcount() << ' ';
	both.unget();
	both.getline(text, sizeof text, ' ');
	std::cout << text << both.gcount() << ' ';
	both.ignore(100, '\n');
	both.read(text, 3);
	std::cout << std::string(text, 3) << both.gcount() << ' ' << both.tellg() << ' ';
	both.seekg(0);
	both >> std::setw(4) >> text;
	std::cout << text << ' ';
	both.seekp(0, std::ios::end);
	both << '!';
	both.putback('x');
	std::cout << both.str() << ' ' << (char)both.get() << '\n';
	both.str("new");
	both.clear();
	std::string s;
	both >> s;
	std::cout << s << ' ' << both.rdbuf()->in_avail() << '\n';
	std::istringstream copied("copied by its buffer");
	std::cout << copied.rdbuf() << '\n';
}

struct Point {
	int x, y;
};
static std::ostream &operator<<(std::ostream &out, const Point &p) { return out << '(' << p.x << ", " << p.y << ')'; }
static std::istream &operator>>(std::istream &in, Point &p)
{
	char open, comma, close;
	return in >> open >> p.x >> comma >> p.y >> close;
}

// A buffer of the program's own.
class Upper : public std::streambuf {
	std::string &to;
	int_type overflow(int_type c) override
	{
		to += (char)std::toupper(c);
		return c;
	}
public:
	explicit Upper(std::string &to) : to(to) {}
};

static void own()
{
	std::stringstream line;
	line << Point{1, 2};
	Point p{};
	line >> p;
	std::cout << p << ' ' << std::complex<double>(1, -2) << ' ' << std::bitset<8>(37) << ' ' << std::quoted("a \"b\"") << '\n';
	std::string text;
	Upper buffer(text);
	std::ostream upper(&buffer);
	upper << "loud " << 12 << std::endl;
	std::cout << text;
	std::streambuf *old = std::cout.rdbuf(line.rdbuf());
	line.str("");
	line.clear();
	std::cout << "kept" << 5;
	std::cout.rdbuf(old);
	std::cout << line.str() << '\n';
	std::ostringstream moved = std::move(std::ostringstream() << "moved");
	std::ostringstream taken(std::move(moved));
	std::cout << taken.str() << '\n';
	std::cerr << "to the other stream" << std::endl;
	std::clog << std::setw(4) << 1 << '\n';
	std::cout << std::unitbuf << std::nounitbuf << std::flush << std::ends << (void *)nullptr << ' ' << (const char *)"end" << std::endl;
}

int main()
{
	integers();
	widths();
	floats();
	reading();
	failing();
	characters();
	own();
	std::printf("%s\n", std::to_string(std::cout.good()).c_str());
}
