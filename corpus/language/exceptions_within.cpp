// Exceptions that are thrown and caught while another one leaves functions: each is caught by its own part.
#include <cassert>
#include <thread>

struct Left {
	virtual ~Left() = default;
	int left = 1;
};
struct Right {
	virtual ~Right() = default;
	int right = 2;
};
struct Both : Left, Right {
	int both = 3;
};
struct Virtual : virtual Right {};

thread_local int n_within;

// Its destructor throws and catches.
struct Throws {
	~Throws()
	{
		try {
			throw Virtual();
		} catch (Right &part) {
			n_within += part.right;
		}
	}
};

static void fails()
{
	Throws throws;
	throw Both();
}

static void work()
{
	try {
		Throws throws;
		throw 5;
	} catch (int number) {
		assert(number == 5);
	}
	try {
		Throws throws;
		throw Both();
	} catch (Right &part) {
		assert(part.right == 2);
	}
	Both both;
	try {
		Throws throws;
		throw &both;
	} catch (Right *part) {
		assert(part == &both);
	}
	try {
		try {
			fails();
		} catch (Right &part) {
			Throws throws;
			part.right = 7;
			throw;
		}
	} catch (Both &whole) {
		assert(whole.right == 7 && whole.both == 3);
	}
	assert(n_within == 10);
}

int main()
{
	std::thread other(work);
	work();
	other.join();
	return 0;
}
