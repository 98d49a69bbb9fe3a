// A reference count that is read after it was lowered: both threads see zero, and both delete.
#include <atomic>
#include <thread>

struct Object {
  std::atomic<int> count{2};
  int value = 7;
};

void release(Object *object) {
  object->count.fetch_sub(1);
  if (object->count.load() == 0)
    delete object;
}

int main() {
  Object *object = new Object;
  std::thread other(release, object);
  release(object);
  other.join();
}
