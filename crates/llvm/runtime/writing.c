// <stdio.h>, <unistd.h>: what writes to files.
//
// It is put only into programs that name something that opens a file: elsewhere there are the standard streams alone,
// which the machine prints itself.

#include "files.h"

extern int __raddle_vfprintf(struct file *stream, const char *format, va_list arguments);

static int is_standard(struct file *stream) { return (unsigned long)stream < 0x100 && stream; }

static size_t put(struct file *stream, const void *from, size_t n)
{
	if (is_standard(stream)) {
		__raddle_write((int)(unsigned long)stream - 0x10, from, n);
		return n;
	}
	pthread_mutex_lock(&stream->lock);
	// What was put back, or was read ahead, is where the next byte goes.
	__raddle_drop_ahead(stream);
	long done = __raddle_put(stream->opened, from, n);
	stream->has_failed |= done < 0;
	pthread_mutex_unlock(&stream->lock);
	return done < 0 ? 0 : (size_t)done;
}

// What is to be written, which is to be freed, and how long it is.
static char *formatted(const char *format, va_list arguments, int *length)
{
	va_list again;
	__builtin_va_copy(again, arguments);
	*length = vsnprintf(NULL, 0, format, again);
	__builtin_va_end(again);
	char *text = __raddle_allocate((size_t)*length + 1);
	vsnprintf(text, (size_t)*length + 1, format, arguments);
	return text;
}

int vfprintf(struct file *stream, const char *format, va_list arguments)
{
	if (is_standard(stream))
		return __raddle_vfprintf(stream, format, arguments);
	int length;
	char *text = formatted(format, arguments, &length);
	int is_right = put(stream, text, (size_t)length) == (size_t)length;
	free(text);
	return is_right ? length : -1;
}
int __vfprintf_chk(struct file *stream, int flag, const char *format, va_list arguments) { return vfprintf(stream, format, arguments); }

int fprintf(struct file *stream, const char *format, ...)
{
	va_list arguments;
	__builtin_va_start(arguments, format);
	int n = vfprintf(stream, format, arguments);
	__builtin_va_end(arguments);
	return n;
}

int __fprintf_chk(struct file *stream, int flag, const char *format, ...)
{
	va_list arguments;
	__builtin_va_start(arguments, format);
	int n = vfprintf(stream, format, arguments);
	__builtin_va_end(arguments);
	return n;
}

size_t fwrite(const void *from, size_t size, size_t count, struct file *stream)
{
	size_t n = put(stream, from, size * count);
	return size ? n / size : 0;
}

int fputs(const char *text, struct file *stream)
{
	size_t length = strlen(text);
	return put(stream, text, length) == length ? 1 : EOF;
}

int fputc(int c, struct file *stream)
{
	unsigned char byte = (unsigned char)c;
	return put(stream, &byte, 1) == 1 ? byte : EOF;
}
int putc(int c, struct file *stream) { return fputc(c, stream); }
int putc_unlocked(int c, struct file *stream) { return fputc(c, stream); }
int _IO_putc(int c, struct file *stream) { return fputc(c, stream); }

int ferror(struct file *stream) { return is_standard(stream) ? 0 : stream->has_failed; }
void clearerr(struct file *stream)
{
	if (!is_standard(stream))
		stream->has_failed = stream->is_at_end = 0;
}

long write(int number, const void *from, size_t n)
{
	if (number == 1 || number == 2)
		return __raddle_write(number, from, n);
	struct opened *opened = __raddle_opened(number);
	if (!opened)
		return -1;
	long put = __raddle_put(opened, from, n);
	__raddle_leave(opened);
	return put;
}

int vdprintf(int number, const char *format, va_list arguments)
{
	int length;
	char *text = formatted(format, arguments, &length);
	int n = (int)write(number, text, (size_t)length);
	free(text);
	return n;
}

int dprintf(int number, const char *format, ...)
{
	va_list arguments;
	__builtin_va_start(arguments, format);
	int n = vdprintf(number, format, arguments);
	__builtin_va_end(arguments);
	return n;
}
