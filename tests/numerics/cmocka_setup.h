/* CMocka with the headers it asks for. */
#ifndef NSDS_TEST_CMOCKA_SETUP_H
#define NSDS_TEST_CMOCKA_SETUP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_status(call, expected) assert_int_equal((call), (expected))

#endif
