// Threads that print: `std::cout` is no place where they meet, a string stream of their own is nobody else's, and one
// that they share needs a lock. -DBUG: one thread writes to it without. -DINPUT: a number from the standard input.
#include <cassert>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::mutex m;
std::ostringstream all;

static void say(int number)
{
	std::ostringstream line;
	line << std::setw(3) << std::setfill('0') << std::hex << 16 * number;
	std::cout << "thread " << number << '\n';
#ifdef BUG
	if (number == 2) {
		all << line.str();
		return;
	}
#endif
	std::lock_guard<std::mutex> guard(m);
	all << line.str();
}

int main()
{
#ifdef INPUT
	int number;
	std::string rest;
	std::cin >> number;
	assert(number == 42 && !std::getline(std::cin >> std::ws, rest) && std::cin.eof());
	return 0;
#endif
	std::thread first(say, 1), second(say, 2);
	first.join();
	second.join();
	assert(all.str() == "010020" || all.str() == "020010");
}
