/* Runs of bit-fields that are longer than any integer of the machine. */
#include <stdio.h>

#pragma pack(push, 1)
struct packed {
	signed a : 29;
	signed b : 30;
	unsigned c : 8;
	signed d : 20;
	volatile signed e : 19;
	unsigned f : 30;
};
#pragma pack(pop)

struct aligned {
	unsigned long long a : 50, b : 40, c : 63, d : 1, e : 20;
};

static struct packed p = {-5, 1000, 200, -300000, 1234, 0x3fffffff};
static struct packed q[3];
static struct aligned r;

static void show(const struct packed *s)
{
	printf("%d %d %u %d %d %u\n", s->a, s->b, s->c, s->d, s->e, s->f);
}

int main(void)
{
	show(&p);
	for (int i = 0; i < 3; i++) {
		q[i] = p;
		q[i].a += i;
		q[i].b = -q[i].b * i;
		q[i].c -= i;
		q[i].d ^= i << 9;
		q[i].e = -q[i].e;
		q[i].f >>= i;
		show(&q[i]);
	}
	for (int i = 0; i < 5; i++) {
		r.a = r.a * 7 + 123456789012345ull;
		r.b ^= r.a >> 3;
		r.c += r.b * r.a;
		r.d = !r.d;
		r.e -= i;
		printf("%llx %llx %llx %d %x\n", (unsigned long long)r.a, (unsigned long long)r.b, (unsigned long long)r.c, (int)r.d, (unsigned)r.e);
	}
	return q[2].b == -2000 && q[1].a == q[0].a + 1;
}
