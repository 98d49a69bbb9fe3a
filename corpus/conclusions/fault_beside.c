/* Of three choices some fail an assertion, and one reaches what cannot be run: a fault that was found is not taken back by what comes later. */
#include <assert.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);


int main(void)
{
	int choice = __VERIFIER_nondet_int();
	if (choice == UNSUPPORTED)
		fork();
	else if (choice == ENDLESS)
		for (unsigned i = 1; i != 0; i ^= 2)
			;
	else
		assert(choice == RIGHT);
	return 0;
}
