/* Functions of systems and relations that the fuzzer hands to definitions; `user` is a params. */
#ifndef NSDS_TEST_FUZZ_CALLBACKS_H
#define NSDS_TEST_FUZZ_CALLBACKS_H

#include "fuzz.h"

/* callbacks.c: second-order and first-order systems, relations between one order */
int f_mass(const nsds_arguments *in, double *out, void *user);
int f_nnl(const nsds_arguments *in, double *out, void *user);
int f_nnl_q(const nsds_arguments *in, double *out, void *user);
int f_nnl_v(const nsds_arguments *in, double *out, void *user);
int f_force(const nsds_arguments *in, double *out, void *user);
int f_force_3(const nsds_arguments *in, double *out, void *user);
int f_map(const nsds_arguments *in, double *out, void *user);
int f_control(const nsds_arguments *in, double *out, void *user);
int f_prescribed(const nsds_arguments *in, double *out, void *user);
int f_rhs(const nsds_arguments *in, double *out, void *user);
int f_rhs_x(const nsds_arguments *in, double *out, void *user);
int f_mass_t(const nsds_arguments *in, double *out, void *user);
int f_A(const nsds_arguments *in, double *out, void *user);
int f_b(const nsds_arguments *in, double *out, void *user);
int f_h(const nsds_arguments *in, double *out, void *user);
int f_h_q(const nsds_arguments *in, double *out, void *user);
int f_h_rheonomous(const nsds_arguments *in, double *out, void *user);
int f_h_t(const nsds_arguments *in, double *out, void *user);
int f_h_compliant(const nsds_arguments *in, double *out, void *user);
int f_h_lambda(const nsds_arguments *in, double *out, void *user);
int f_bias(const nsds_arguments *in, double *out, void *user);
int f_C(const nsds_arguments *in, double *out, void *user);
int f_B(const nsds_arguments *in, double *out, void *user);
int f_D(const nsds_arguments *in, double *out, void *user);
int f_e(const nsds_arguments *in, double *out, void *user);
int f_F(const nsds_arguments *in, double *out, void *user);
int f_g(const nsds_arguments *in, double *out, void *user);
int f_g_lambda(const nsds_arguments *in, double *out, void *user);
int f_g_x(const nsds_arguments *in, double *out, void *user);
int f_touch(const nsds_arguments *in, nsds_body_contact *contact, void *user);
int f_touch_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user);

/* callbacks_mixed.c: relations of both orders */
int f_mixed_h(const nsds_arguments *in, double *out, void *user);
int f_mixed_h_x(const nsds_arguments *in, double *out, void *user);
int f_mixed_h_q(const nsds_arguments *in, double *out, void *user);
int f_mixed_h_v(const nsds_arguments *in, double *out, void *user);
int f_mixed_h_lambda(const nsds_arguments *in, double *out, void *user);
int f_mixed_g(const nsds_arguments *in, double *out, void *user);
int f_mixed_g_lambda(const nsds_arguments *in, double *out, void *user);
int f_mixed_g_v(const nsds_arguments *in, double *out, void *user);

#endif
