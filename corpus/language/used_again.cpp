// A lock on the stack where other locals were before: its word is one although bytes were copied there in pieces.
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

static std::string text;

int main()
{
	std::thread writer([] {
		text = "abc";
		text = "a text that is too long for the object itself";
	});
	writer.join();
	if (text.size() < 4)
		return 1;
	std::shared_mutex lock;
	int guarded = 0;
	std::thread other([&] {
		std::unique_lock held(lock);
		guarded = 1;
	});
	{
		std::shared_lock held(lock);
		(void)guarded;
	}
	other.join();
	return 0;
}
