// Complex numbers: <complex.h>, and what compilers call for products and quotients, as in libgcc and Annex G of C.
//
// Functions whose results no two libraries round alike are not here, but for a logarithm that `<random>` needs.

extern double atan2(double, double), hypot(double, double);

#define PART(is_inf, x) __builtin_copysign((is_inf) ? 1.0 : 0.0, (double)(x))

// A product of which neither part is a number, although a factor is infinite.
#define PRODUCT(name, type) \
	type _Complex name(type a, type b, type c, type d) \
	{ \
		type ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc; \
		if (x == x || y == y) \
			return __builtin_complex(x, y); \
		int again = 0; \
		if (__builtin_isinf(a) || __builtin_isinf(b)) { \
			a = PART(__builtin_isinf(a), a), b = PART(__builtin_isinf(b), b); \
			c = c == c ? c : PART(0, c), d = d == d ? d : PART(0, d); \
			again = 1; \
		} \
		if (__builtin_isinf(c) || __builtin_isinf(d)) { \
			c = PART(__builtin_isinf(c), c), d = PART(__builtin_isinf(d), d); \
			a = a == a ? a : PART(0, a), b = b == b ? b : PART(0, b); \
			again = 1; \
		} \
		if (!again && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) { \
			a = a == a ? a : PART(0, a), b = b == b ? b : PART(0, b); \
			c = c == c ? c : PART(0, c), d = d == d ? d : PART(0, d); \
			again = 1; \
		} \
		if (again) \
			x = (type)__builtin_inf() * (a * c - b * d), y = (type)__builtin_inf() * (a * d + b * c); \
		return __builtin_complex(x, y); \
	}
PRODUCT(__mulsc3, float)
PRODUCT(__muldc3, double)
PRODUCT(__mulxc3, long double)

// A quotient of which neither part is a number.
#define MEND(type) \
	if (x != x && y != y) { \
		if (c == 0 && d == 0 && (a == a || b == b)) { \
			x = (type)__builtin_copysign(__builtin_inf(), (double)c) * a, y = (type)__builtin_copysign(__builtin_inf(), (double)c) * b; \
		} else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) { \
			a = PART(__builtin_isinf(a), a), b = PART(__builtin_isinf(b), b); \
			x = (type)__builtin_inf() * (a * c + b * d), y = (type)__builtin_inf() * (b * c - a * d); \
		} else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) { \
			c = PART(__builtin_isinf(c), c), d = PART(__builtin_isinf(d), d); \
			x = 0 * (a * c + b * d), y = 0 * (b * c - a * d); \
		} \
	} \
	return __builtin_complex(x, y);

float _Complex __divsc3(float a, float b, float c, float d)
{
	double norm = (double)c * c + (double)d * d;
	float x = (float)(((double)a * c + (double)b * d) / norm), y = (float)(((double)b * c - (double)a * d) / norm);
	MEND(float)
}

// By the larger part of the divisor, after Baudin and Smith; very small and very large numbers are scaled first.
#define SCALE(by) (a = a * (by), b = b * (by), c = c * (by), d = d * (by))
#define QUOTIENT(name, type, size, max, min, epsilon) \
	type _Complex name(type a, type b, type c, type d) \
	{ \
		int is_turned = size(c) < size(d); \
		type larger = is_turned ? d : c, most = max / 2 * epsilon, x, y; \
		if (size(larger) >= max / 2) { \
			SCALE((type)0.5); \
			larger = is_turned ? d : c; \
		} \
		if (size(larger) < min) \
			SCALE(1 / epsilon); \
		else if (size(larger) < most && ((size(a) < min && size(b) < most) || (size(b) < min && size(a) < most))) \
			SCALE(1 / epsilon); \
		if (is_turned) { \
			type ratio = c / d, norm = c * ratio + d; \
			int is_normal = size(ratio) > min; \
			x = ((is_normal ? a * ratio : c * (a / d)) + b) / norm; \
			y = ((is_normal ? b * ratio : c * (b / d)) - a) / norm; \
		} else { \
			type ratio = d / c, norm = d * ratio + c; \
			int is_normal = size(ratio) > min; \
			x = ((is_normal ? b * ratio : d * (b / c)) + a) / norm; \
			y = (b - (is_normal ? a * ratio : d * (a / c))) / norm; \
		} \
		MEND(type) \
	}
QUOTIENT(__divdc3, double, __builtin_fabs, __DBL_MAX__, __DBL_MIN__, __DBL_EPSILON__)
QUOTIENT(__divxc3, long double, __builtin_fabsl, __LDBL_MAX__, __LDBL_MIN__, __LDBL_EPSILON__)

#define COMPLEX(type, suffix) \
	type creal##suffix(type _Complex z) { return __real__ z; } \
	type cimag##suffix(type _Complex z) { return __imag__ z; } \
	type _Complex conj##suffix(type _Complex z) { return ~z; } \
	type _Complex cproj##suffix(type _Complex z) \
	{ \
		if (__builtin_isinf(__real__ z) || __builtin_isinf(__imag__ z)) \
			return __builtin_complex((type)__builtin_inf(), (type)__builtin_copysign(0.0, (double)__imag__ z)); \
		return z; \
	}
COMPLEX(float, f)
COMPLEX(double, )
COMPLEX(long double, l)
double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }

// A logarithm, to within a unit in the last place as in other libraries: by 2 artanh((m - 1) / (m + 1)).

extern long double frexpl(long double, int *);
long double logl(long double x)
{
	int e;
	if (x != x || x == __builtin_infl())
		return x;
	if (x <= 0)
		return x == 0 ? -__builtin_infl() : __builtin_nanl("");
	long double m = frexpl(x, &e);
	if (m < 0.70710678118654752440L)
		m *= 2, e--;
	long double s = (m - 1) / (m + 1), z = s * s, sum = 0;
	for (int k = 51; k > 0; k -= 2)
		sum = sum * z + 1.0L / k;
	return e * 0x1.62e42fefa39ef358p-1L + 2 * s * sum;
}
