/*
 * Derivatives of expressions by the chain rule, node after node: a node comes after its inputs, so
 * that their derivatives are known. Only derivatives are simplified: 0 x = 0, 1 x = x, x + 0 = x.
 * Quotients 0/0 count as 0. Such quotients arise if a root and the derivative below it vanish
 * together.
 */
#include "run/expression/expression_slopes.h"

#include <math.h>

/* A node with the derivatives of its inputs. */
typedef struct slope_rule {
  nsds_expressions *all;
  nsds_term self, in[3], d[3];
} slope_rule;

static nsds_term slope_number(double x) { return nsds_term_number(x); }
static bool slope_vanishes(nsds_term a) { return nsds_term_is(a, 0.0); }

static nsds_term slope_of_two(nsds_expressions *all, nsds_operation operation, nsds_term a,
                              nsds_term b) {
  return nsds_term_make(all, operation, a, b, slope_number(0.0));
}

static nsds_term slope_of_one(nsds_expressions *all, nsds_operation operation, nsds_term a) {
  return slope_of_two(all, operation, a, slope_number(0.0));
}

static nsds_term slope_minus(nsds_expressions *all, nsds_term a) {
  return slope_of_one(all, NSDS_OP_NEGATIVE, a);
}

static nsds_term slope_plus(nsds_expressions *all, nsds_term a, nsds_term b) {
  if (slope_vanishes(a)) return b;
  return slope_vanishes(b) ? a : slope_of_two(all, NSDS_OP_SUM, a, b);
}

static nsds_term slope_less(nsds_expressions *all, nsds_term a, nsds_term b) {
  if (slope_vanishes(b)) return a;
  return slope_vanishes(a) ? slope_minus(all, b) : slope_of_two(all, NSDS_OP_DIFFERENCE, a, b);
}

static nsds_term slope_times(nsds_expressions *all, nsds_term a, nsds_term b) {
  if (slope_vanishes(a) || slope_vanishes(b)) return slope_number(0.0);
  if (nsds_term_is(a, 1.0)) return b;
  return nsds_term_is(b, 1.0) ? a : slope_of_two(all, NSDS_OP_PRODUCT, a, b);
}

static nsds_term slope_over(nsds_expressions *all, nsds_term a, nsds_term b) {
  if (slope_vanishes(a)) return slope_number(0.0);
  return nsds_term_is(b, 1.0) ? a : slope_of_two(all, NSDS_OP_QUOTIENT, a, b);
}

/* a/b, and 0 if a is 0. */
static nsds_term slope_root(nsds_expressions *all, nsds_term a, nsds_term b) {
  if (a.node < 0) return slope_over(all, a, b);
  return slope_of_two(all, NSDS_OP_SLOPE_QUOTIENT, a, b);
}

static nsds_term slope_choose(nsds_expressions *all, nsds_term which, nsds_term yes, nsds_term no) {
  if (yes.node == no.node && (yes.node >= 0 || yes.number == no.number)) return yes;
  return nsds_term_make(all, NSDS_OP_CHOICE, which, yes, no);
}

/* (1 - u) (1 + u), or with another number in place of 1 on the left. */
static nsds_term slope_pair(nsds_expressions *all, nsds_term u) {
  return slope_times(all, slope_less(all, slope_number(1.0), u),
                     slope_plus(all, slope_number(1.0), u));
}

static nsds_term slope_square(nsds_expressions *all, nsds_term u) { return slope_times(all, u, u); }

static nsds_term slope_of_quotient(slope_rule *r, bool with_zero) {
  nsds_expressions *all = r->all;
  nsds_term top = slope_less(all, r->d[0], slope_times(all, r->self, r->d[1]));
  return with_zero ? slope_root(all, top, r->in[1]) : slope_over(all, top, r->in[1]);
}

/* d(a^b) = b a^(b-1) da + a^b log(a) db. The second term is 0 if a or db is 0: then a may be
 * negative. */
static nsds_term slope_of_power(slope_rule *r) {
  nsds_expressions *all = r->all;
  nsds_term a = r->in[0], b = r->in[1], first = slope_number(0.0), second = slope_number(0.0);
  if (!slope_vanishes(r->d[0])) {
    nsds_term by = slope_times(all, b, r->d[0]);
    bool root = b.node >= 0 || (b.number < 1.0 && b.number != 0.0);
    if (root)
      first = slope_root(
          all, by, slope_of_two(all, NSDS_OP_POWER, a, slope_less(all, slope_number(1.0), b)));
    else if (nsds_term_is(b, 2.0)) first = slope_times(all, by, a);
    else if (!nsds_term_is(b, 1.0) && b.number != 0.0)
      first =
          slope_times(all, by, slope_of_two(all, NSDS_OP_POWER, a, slope_number(b.number - 1.0)));
    else first = by;
  }
  if (!slope_vanishes(r->d[1])) {
    nsds_term growth = slope_times(all, r->self, slope_of_one(all, NSDS_OP_LOG, a));
    if (a.node < 0 && a.number > 0.0)
      return slope_plus(all, first, slope_times(all, growth, r->d[1]));
    second = slope_root(all, r->d[1], slope_over(all, slope_number(1.0), growth));
    second = slope_choose(all, slope_of_two(all, NSDS_OP_EQUAL, a, slope_number(0.0)),
                          slope_number(0.0), second);
  }
  return slope_plus(all, first, second);
}

/* d hypot(u, v) = u/h du + v/h dv;  d atan2(u, v) = (v/h du - u/h dv)/h. */
static nsds_term slope_of_angle(slope_rule *r, bool length) {
  nsds_expressions *all = r->all;
  nsds_term u = r->in[0], v = r->in[1];
  nsds_term h = length ? r->self : slope_of_two(all, NSDS_OP_HYPOT, u, v);
  nsds_term along = slope_root(all, u, h), across = slope_root(all, v, h);
  if (length)
    return slope_plus(all, slope_times(all, along, r->d[0]), slope_times(all, across, r->d[1]));
  return slope_root(
      all, slope_less(all, slope_times(all, across, r->d[0]), slope_times(all, along, r->d[1])), h);
}

static nsds_term slope_of_inverse(slope_rule *r, nsds_operation operation) {
  nsds_expressions *all = r->all;
  nsds_term u = r->in[0], du = r->d[0];
  switch (operation) {
  case NSDS_OP_ASIN:
    return slope_root(all, du, slope_of_one(all, NSDS_OP_SQRT, slope_pair(all, u)));
  case NSDS_OP_ACOS:
    return slope_minus(all,
                       slope_root(all, du, slope_of_one(all, NSDS_OP_SQRT, slope_pair(all, u))));
  case NSDS_OP_ATAN:
    return slope_over(all, du, slope_plus(all, slope_number(1.0), slope_square(all, u)));
  case NSDS_OP_ASINH:
    return slope_over(all, du, slope_of_two(all, NSDS_OP_HYPOT, slope_number(1.0), u));
  case NSDS_OP_ACOSH: {
    nsds_term below = slope_times(all, slope_less(all, u, slope_number(1.0)),
                                  slope_plus(all, u, slope_number(1.0)));
    return slope_root(all, du, slope_of_one(all, NSDS_OP_SQRT, below));
  }
  case NSDS_OP_ATANH: return slope_over(all, du, slope_pair(all, u));
  case NSDS_OP_LOG2: return slope_over(all, du, slope_times(all, u, slope_number(log(2.0))));
  case NSDS_OP_LOG10: return slope_over(all, du, slope_times(all, u, slope_number(log(10.0))));
  case NSDS_OP_SQRT: return slope_root(all, du, slope_times(all, slope_number(2.0), r->self));
  case NSDS_OP_CBRT:
    return slope_root(all, du, slope_times(all, slope_number(3.0), slope_square(all, r->self)));
  default: return slope_over(all, du, u); /* of log */
  }
}

static nsds_term slope_of_function(slope_rule *r, nsds_operation operation) {
  nsds_expressions *all = r->all;
  nsds_term u = r->in[0], du = r->d[0];
  switch (operation) {
  case NSDS_OP_SIN: return slope_times(all, slope_of_one(all, NSDS_OP_COS, u), du);
  case NSDS_OP_COS:
    return slope_minus(all, slope_times(all, slope_of_one(all, NSDS_OP_SIN, u), du));
  case NSDS_OP_TAN:
    return slope_times(all, slope_plus(all, slope_number(1.0), slope_square(all, r->self)), du);
  case NSDS_OP_SINH: return slope_times(all, slope_of_one(all, NSDS_OP_COSH, u), du);
  case NSDS_OP_COSH: return slope_times(all, slope_of_one(all, NSDS_OP_SINH, u), du);
  case NSDS_OP_TANH:
    return slope_over(all, du, slope_square(all, slope_of_one(all, NSDS_OP_COSH, u)));
  case NSDS_OP_EXP: return slope_times(all, r->self, du);
  case NSDS_OP_ABS: return slope_times(all, slope_of_one(all, NSDS_OP_SIGN, u), du);
  case NSDS_OP_SIGN:
  case NSDS_OP_FLOOR:
  case NSDS_OP_CEIL:
  case NSDS_OP_ROUND:
  case NSDS_OP_TRUNC: return slope_number(0.0);
  default: return slope_of_inverse(r, operation);
  }
}

static nsds_term slope_of(slope_rule *r, nsds_operation operation) {
  nsds_expressions *all = r->all;
  const nsds_term *in = r->in, *d = r->d;
  switch (operation) {
  case NSDS_OP_NEGATIVE: return slope_minus(all, d[0]);
  case NSDS_OP_SUM: return slope_plus(all, d[0], d[1]);
  case NSDS_OP_DIFFERENCE: return slope_less(all, d[0], d[1]);
  case NSDS_OP_PRODUCT:
    return slope_plus(all, slope_times(all, d[0], in[1]), slope_times(all, in[0], d[1]));
  case NSDS_OP_QUOTIENT: return slope_of_quotient(r, false);
  case NSDS_OP_SLOPE_QUOTIENT: return slope_of_quotient(r, true);
  case NSDS_OP_POWER: return slope_of_power(r);
  case NSDS_OP_HYPOT: return slope_of_angle(r, true);
  case NSDS_OP_ATAN2: return slope_of_angle(r, false);
  case NSDS_OP_MOD: {
    nsds_term whole = slope_of_one(all, NSDS_OP_TRUNC, slope_over(all, in[0], in[1]));
    return slope_less(all, d[0], slope_times(all, whole, d[1]));
  }
  case NSDS_OP_MIN:
    return slope_choose(all, slope_of_two(all, NSDS_OP_LESS, in[0], in[1]), d[0], d[1]);
  case NSDS_OP_MAX:
    return slope_choose(all, slope_of_two(all, NSDS_OP_GREATER, in[0], in[1]), d[0], d[1]);
  case NSDS_OP_CHOICE: return slope_choose(all, in[0], d[1], d[2]);
  case NSDS_OP_NOT:
  case NSDS_OP_LESS:
  case NSDS_OP_LESS_EQUAL:
  case NSDS_OP_GREATER:
  case NSDS_OP_GREATER_EQUAL:
  case NSDS_OP_EQUAL:
  case NSDS_OP_UNEQUAL:
  case NSDS_OP_AND:
  case NSDS_OP_OR: return slope_number(0.0);
  default: return slope_of_function(r, operation);
  }
}

/* Derivatives of all nodes of the store, as far as they are wanted. */
typedef struct slope_table {
  nsds_term *d;
  bool *wanted;
} slope_table;

static void want_inputs(const nsds_expressions *all, bool *wanted, int last) {
  for (int k = last; k >= 0; --k)
    for (int i = 0; wanted[k] && i < 3; ++i)
      if (all->node[k].in[i].node >= 0) wanted[all->node[k].in[i].node] = true;
}

static nsds_term slope_of_input(const slope_table *t, nsds_term in) {
  return in.node < 0 ? slope_number(0.0) : t->d[in.node];
}

static nsds_status slope_fill_table(nsds_expressions *all, const slope_table *t, int last,
                                    const double *variable, int most) {
  for (int k = 0; k <= last; ++k) {
    t->d[k] = slope_number(0.0);
    if (!t->wanted[k]) continue;
    nsds_node n = all->node[k]; /* the store grows */
    slope_rule r = {.all = all, .self = {k, 0.0}};
    bool varies = false;
    for (int i = 0; i < 3; ++i) {
      r.in[i] = n.in[i];
      r.d[i] = slope_of_input(t, n.in[i]);
      varies = varies || !slope_vanishes(r.d[i]);
    }
    if (n.operation == NSDS_OP_VARIABLE) t->d[k] = slope_number(n.variable == variable ? 1.0 : 0.0);
    else if (varies) t->d[k] = slope_of(&r, n.operation);
    if (all->no_memory) return NSDS_ERROR_MEMORY;
    if (all->count > most) return NSDS_ERROR_SIZE;
  }
  return NSDS_OK;
}

nsds_status nsds_term_slopes(nsds_expressions *all, const nsds_term *term, int n,
                             const double *variable, int most, nsds_term *d) {
  int last = -1;
  for (int k = 0; k < n; ++k)
    if (term[k].node > last) last = term[k].node;
  slope_table t = {nsds_alloc(all->context, "an expression", (size_t)last + 2, sizeof *t.d),
                   nsds_alloc(all->context, "an expression", (size_t)last + 2, sizeof *t.wanted)};
  nsds_status status = t.d && t.wanted ? NSDS_OK : NSDS_ERROR_MEMORY;
  if (!status) {
    for (int k = 0; k < n; ++k)
      if (term[k].node >= 0) t.wanted[term[k].node] = true;
    want_inputs(all, t.wanted, last);
    status = slope_fill_table(all, &t, last, variable, most);
  }
  for (int k = 0; !status && k < n; ++k) d[k] = slope_of_input(&t, term[k]);
  nsds_free(t.d);
  nsds_free(t.wanted);
  return status;
}
