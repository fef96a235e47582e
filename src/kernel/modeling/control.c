/*
 * Control inputs T u of systems of both orders. T is constant or depends on the state, u on state,
 * rate and time, and
 *
 *   d(T u)/dx = T du/dx + (dT/dx) u,     dT/dx as the (n m) x n derivative of vec T.
 */
#include "kernel/modeling/control.h"

#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/operator.h"

static bool control_fail(nsds_context *context, const char *call, const char *text) {
  nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s", call, text);
  return false;
}

bool nsds_control_check(nsds_context *context, const char *call, int n, int m, const double *map,
                        nsds_operator map_fn, nsds_operator u_fn) {
  if (!nsds_check_count(context, call, "control.n", m, 0)) return false;
  if (m == 0)
    return (!map && !map_fn && !u_fn) ||
           control_fail(context, call,
                        "control.map, control.map_fn or control.fn is given, "
                        "but control.n is 0; give the number of controls");
  if (!u_fn || (!map && !map_fn))
    return control_fail(context, call,
                        "control.n > 0 needs control.fn, and control.map or control.map_fn");
  if (map && map_fn)
    return control_fail(context, call, "both control.map and control.map_fn are given; give one");
  return nsds_check_dense(context, call, "control.map_fn", n, m) &&
         nsds_check_entries(context, call, "control.map", map, n, m);
}

nsds_status nsds_control_keep(nsds_control *control, const nsds_caller *caller, int n, int m,
                              const double *map, nsds_operator map_fn, nsds_operator u_fn,
                              bool slope, void *user) {
  *control = (nsds_control){.n = n, .m = m, .map_fn = map_fn, .u_fn = u_fn, .user = user};
  if (m == 0) return NSDS_OK;
  size_t rows = (size_t)n, columns = (size_t)m, entries = rows * columns;
  control->memory =
      nsds_alloc_for(caller->context, caller->label, "control.map_fn",
                     2 * entries + columns + (slope ? entries * rows : 0), sizeof(double));
  control->map =
      nsds_copy_for(caller->context, caller->label, "control.map", map, entries, sizeof *map);
  if (!control->memory || (map && !control->map)) return NSDS_ERROR_MEMORY;
  control->T = control->memory;
  control->u = control->T + entries;
  control->Ju = control->u + columns;
  control->JT = control->Ju + entries;
  return NSDS_OK;
}

void nsds_control_release(nsds_context *context, nsds_control *control) {
  nsds_release(context, control->memory);
  nsds_release(context, control->map);
}

/* Gets T at the point: the constant T, or its value in control->T. */
static nsds_status get_map(const nsds_control *c, const nsds_caller *caller,
                           const nsds_arguments *in, const double **T) {
  *T = c->map ? c->map : c->T;
  return c->map ? NSDS_OK
                : nsds_call(caller, "control.map_fn", c->map_fn, in, c->T, c->n * c->m, c->user);
}

nsds_status nsds_control_add(const nsds_control *c, const nsds_caller *caller,
                             const nsds_arguments *in, double *out) {
  if (c->m == 0) return NSDS_OK;
  const double *T;
  nsds_status status = get_map(c, caller, in, &T);
  if (!status) status = nsds_call(caller, "control.fn", c->u_fn, in, c->u, c->m, c->user);
  for (int j = 0; !status && j < c->m; ++j)
    for (int i = 0; i < c->n; ++i) out[i] += T[i + j * c->n] * c->u[j];
  return status;
}

static bool given(nsds_operator jacobian) { return jacobian && jacobian != nsds_zero; }

bool nsds_control_varies(const nsds_control_jacobian *j) {
  return given(j->u_fn) || given(j->map_fn);
}

bool nsds_control_pair(const nsds_control *c, const nsds_control_jacobian *j, int nj, int k,
                       nsds_jacobian_pair *pair) {
  for (int i = 0; i < nj; ++i) {
    if (c->u_fn && k-- == 0) {
      *pair = (nsds_jacobian_pair){j[i].u_name, c->u_fn, j[i].u_fn, j[i].variable, c->m, c->user};
      return true;
    }
    if (c->map_fn && j[i].map_name && k-- == 0) {
      /* absent does not mean that T is constant: nothing to compare */
      nsds_operator slope = j[i].map_fn ? j[i].map_fn : nsds_differences;
      *pair = (nsds_jacobian_pair){j[i].map_name, c->map_fn,   slope,
                                   j[i].variable, c->n * c->m, c->user};
      return true;
    }
  }
  return false;
}

nsds_status nsds_control_add_jacobian(const nsds_control *c, const nsds_caller *caller,
                                      const nsds_control_jacobian *j, const nsds_arguments *in,
                                      double sign, double *out) {
  int n = c->n, m = c->m;
  nsds_status status = NSDS_OK;
  if (m > 0 && given(j->u_fn)) {
    const double *T;
    nsds_jacobian_pair pair = {j->u_name, c->u_fn, j->u_fn, j->variable, m, c->user};
    status = get_map(c, caller, in, &T);
    if (!status) status = nsds_call_jacobian(caller, &pair, in, c->Ju);
    for (int k = 0; !status && k < n; ++k)
      for (int l = 0; l < m; ++l)
        for (int i = 0; i < n; ++i) out[i + k * n] += sign * T[i + l * n] * c->Ju[l + k * m];
  }
  if (m > 0 && given(j->map_fn) && !status) {
    nsds_jacobian_pair pair = {j->map_name, c->map_fn, j->map_fn, j->variable, n * m, c->user};
    status = nsds_call(caller, "control.fn", c->u_fn, in, c->u, m, c->user);
    if (!status) status = nsds_call_jacobian(caller, &pair, in, c->JT);
    for (int k = 0; !status && k < n; ++k)
      for (int l = 0; l < m; ++l)
        for (int i = 0; i < n; ++i) out[i + k * n] += sign * c->JT[i + l * n + k * n * m] * c->u[l];
  }
  return status;
}
