/*
 * The catalogue against the constructors. Definitions are drawn within the ranges of their rows, and
 * the constructors accept them. One field out of its range, not finite, or a reserved word that is
 * not zero: the constructor refuses and names the field. Rows fit the members that they stand for.
 */
#include "support.h"

#include <nsds/catalogue.h>

#include <stdio.h>

enum { most_bytes = 1024, draws = 200 };

static const char *const families[] = {
    "system", "law",        "relation",   "shape",      "material",    "term",  "action", "drive",
    "scheme", "simulation", "activation", "projection", "contact set", "plane", "pair",   "newton"};
static uint64_t seed = 59;

static double uniform(double low, double high) { return random_in(&seed, low, high); }

/* Reads "[0, 1]" or "(0, 1]"; false for other ranges. */
static bool bounds(const char *range, double *low, double *high) {
  return range && sscanf(range, "%*1[[(]%lf, %lf]", low, high) == 2;
}

/* Reads "3", "1 or 2", "3 (plane: 2)". */
static bool sizes(const char *size, int dimension, int *least, int *most) {
  int plane;
  if (sscanf(size, "%d or %d", least, most) == 2) return true;
  if (sscanf(size, "%d (plane: %d)", most, &plane) == 2 && dimension == 2) *most = plane;
  return sscanf(size, "%d", least) == 1 &&
         (*least = *most = dimension == 2 && strstr(size, "plane") ? plane : *least) > 0;
}

static bool range_is_closed(const nsds_field *field) { return field->range[0] == '['; }

/* Draws a number of a range: a bound now and then, 0 where it means a default. */
static double draw_number(const nsds_field *field) {
  double low = -10.0, high = 10.0;
  bool bounded = bounds(field->range, &low, &high);
  if (field->range && field->range[0] == '>') low = 0.0;
  if (high > 1e6) high = 1e6; /* inf too */
  double value = uniform(low, high);
  if (bounded && range_is_closed(field) && value < low + 0.1 * (high - low)) value = low;
  if (field->fallback && uniform(0.0, 1.0) < 0.2) value = 0.0;
  return field->kind == NSDS_FIELD_INTEGER ? floor(value) : value;
}

static const double four[4] = {1.0, 2.0, 3.0, 4.0};

/* Draws an option of a scheme, but not those for one system alone. */
static void draw_option(const nsds_field *field, char *def) {
  if (field->kind == NSDS_FIELD_INTEGER || uniform(0.0, 1.0) < 0.3) return;
  if (field->kind == NSDS_FIELD_NUMBER)
    *(double *)(void *)(def + field->offset) = draw_number(field);
  *(unsigned *)(void *)(def + field->count) |= field->option;
}

static void put_integer(const nsds_field *field, void *to, long value) {
  if (field->bytes == sizeof(long)) *(long *)to = value;
  else *(int *)to = (int)value;
}

static void draw_field(const nsds_field *field, char *def) {
  void *to = def + field->offset;
  if (field->kind == NSDS_FIELD_TEXT || field->kind == NSDS_FIELD_OBJECT) return;
  if (field->kind == NSDS_FIELD_FUNCTION || field->kind == NSDS_FIELD_VALUES) return;
  if (field->pointer && (field->kind == NSDS_FIELD_WORD || field->count == 0)) return;
  if (field->pointer) { /* bounds 1 .. 1 and so on; x <= 1 and so on */
    const double *values = four;
    memcpy(to, &values, sizeof values);
    *(int *)(void *)(def + field->count) = 1;
    if (field->columns) *(int *)(void *)(def + field->columns) = 1;
  } else if (field->kind == NSDS_FIELD_NUMBER) *(double *)to = draw_number(field);
  else if (field->kind == NSDS_FIELD_INTEGER) put_integer(field, to, (long)draw_number(field));
  else if (field->kind == NSDS_FIELD_TRUTH) *(bool *)to = uniform(0.0, 1.0) < 0.5;
  else if (field->kind == NSDS_FIELD_WORD) *(int *)to = field->first + (int)uniform(0.0, 1.99);
  else if (field->whole)
    for (size_t k = 0; k < field->bytes / sizeof(int); ++k) ((int *)to)[k] = 1 - field->first;
  else if (field->kind == NSDS_FIELD_VECTOR) *(double *)to = uniform(-1.0, 1.0);
}

/* Returns the member of this key in a definition; NULL: the type has no such key. */
static void *member(const nsds_type *type, char *def, const char *key) {
  for (const nsds_field *f = type->field; f->name; ++f)
    if (f->bytes && !f->pointer && strcmp(f->name, key) == 0) return def + f->offset;
  return NULL;
}

static bool is_type(const nsds_type *type, const char *name) {
  return type->type && strcmp(type->type, name) == 0;
}

static bool is_of(const char *family, const nsds_type *type) {
  for (const nsds_type *const *t = nsds_catalogue(family)->member; *t; ++t)
    if (*t == type) return true;
  return false;
}

/* Gives a contact set a law and bodies that meet each other. */
static void complete_set(nsds_model *model, const nsds_type *type, void *def) {
  static nsds_ds *ds[2];
  nsds_law *law = nsds_newton_impact(model, 0.5);
  nsds_spheres_def *spheres = def;
  nsds_balls_def *balls = def;
  ds[0] = nsds_ds_at(model, 0);
  ds[1] = nsds_ds_at(model, 1);
  if (is_type(type, "shapes")) ((nsds_shapes_def *)def)->law = law;
  else if (is_type(type, "spheres"))
    spheres->law = law, spheres->ds = ds, spheres->count = 2, spheres->radius = 1.0,
    spheres->planes_only = false;
  else
    balls->law = law, balls->ds = ds, balls->count = 2, balls->pairs = true, balls->normal = NULL,
    balls->dimension = 2;
}

/* Gives a system one degree of freedom, or the inertia of a body, and a mass. */
static void complete_system(const nsds_type *type, char *def) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, *const pointer = unit;
  const char *const matrices[] = {"mass", "inertia"};
  for (const nsds_field *f = type->field; f->name; ++f)
    for (int k = 0; k < 2; ++k)
      if (strcmp(f->name, matrices[k]) == 0 && (f->pointer || f->constant))
        memcpy(def + (f->pointer ? f->offset : f->constant), &pointer, sizeof pointer);
      else if (f->kind == NSDS_FIELD_NUMBER && f->bytes && strcmp(f->name, matrices[k]) == 0)
        *(double *)(void *)(def + f->offset) += 0.1;
  const char *const frames[] = {"force_in_body", "moment_in_world"}; /* without functions: none */
  for (int k = 0; k < 2; ++k)
    if (member(type, def, frames[k])) *(bool *)member(type, def, frames[k]) = false;
  int *n = member(type, def, "n"), *ndof = member(type, def, "ndof");
  if (n) *n = 1;
  if (ndof) *ndof = 1;
}

static int nothing(const nsds_arguments *in, double *out, void *user) {
  (void)user, (void)in;
  out[0] = 0.0;
  return 0;
}

/* Gives a relation between any systems one row, sizes 1, and the matrices and functions it needs. */
static void complete_relation(const nsds_type *type, char *def) {
  static const double unit[1] = {1.0}, *const pointer = unit;
  const nsds_operator function = nothing;
  const size_t at[] = {type->ny_at, type->nx_at, type->nq_at, type->nv_at};
  for (int k = 0; k < 4; ++k)
    if (at[k]) *(int *)(void *)(def + at[k]) = 1;
  for (const nsds_field *f = type->field; f->name; ++f)
    if (f->constant && uniform(0.0, 1.0) < 0.5) memcpy(def + f->constant, &pointer, sizeof pointer);
    else if (f->kind == NSDS_FIELD_FUNCTION && (f->constant || !f->optional))
      memcpy(def + f->offset, &function, sizeof function);
    else if (f->kind == NSDS_FIELD_MATRIX && !f->fallback)
      memcpy(def + f->offset, &pointer, sizeof pointer);
  for (const nsds_field *f = type->field; f->name; ++f)
    if (f->columns && f->constant) *(int *)(void *)(def + f->columns) = 1;
    else if (f->kind == NSDS_FIELD_TRUTH) *(bool *)(void *)(def + f->offset) = false;
}

static void complete_shape(const nsds_type *type, char *def) {
  double *half = member(type, def, "half"), *quaternion = member(type, def, "quaternion");
  double *radius = member(type, def, "radius"), *color = member(type, def, "color");
  for (int k = 0; color && k < 3; ++k) color[k] = fabs(color[k]);
  for (int k = 0; half && k < 3; ++k) half[k] = 0.5 + fabs(half[k]);
  if (quaternion) quaternion[0] = 1.0;
  if (radius) *radius += 0.1;
  *(int *)member(type, def, "material") = 0;
}

/* Gives a simulation times that fit to each other. */
static void complete_times(const nsds_type *type, char *def) {
  double *t0 = member(type, def, "t0"), *t1 = member(type, def, "t1");
  double *h = member(type, def, "h"), *window = member(type, def, "window");
  double *period = member(type, def, "output_period"), *settling = member(type, def, "settling");
  double *largest = member(type, def, "largest_step");
  *t1 = *t0 + 10.0;
  if (h) *h = fmax(*h, 0.01);
  if (window) *window = fmin(*window, 10.0);
  if (period) *period = fmin(*period, 10.0);
  if (settling) *settling = fmin(*settling, 0.01);
  if (settling && *largest > 0.0) *largest = fmax(*largest, 0.01);
  if (settling && *period > 0.0) *period = fmax(*period, 0.01);
}

/* Gives an integrated drive bounds in order, and others none. */
static void complete_target(const nsds_type *type, char *def) {
  double *lower = member(type, def, "target_lower"), *upper = member(type, def, "target_upper");
  const bool *integrated = member(type, def, "integrated");
  if (!lower) return;
  double least = fmin(*lower, *upper), most = fmax(*lower, *upper);
  *lower = *integrated ? least : 0.0;
  *upper = *integrated ? most : 0.0;
}

/* Makes what rows do not say: directions with a length, points apart, systems. */
static void complete(nsds_model *model, const nsds_type *type, char *def) {
  double *axis = member(type, def, "axis"), *other = member(type, def, "other_axis");
  double *point = member(type, def, "point"), *normal = member(type, def, "normal");
  double *stiffness = member(type, def, "stiffness"), *length = member(type, def, "length");
  double *radius = member(type, def, "radius"), *D = member(type, def, "D");
  int *rows = member(type, def, "rows");
  bool *settles = member(type, def, "settles");
  int *coordinate = member(type, def, "coordinate");
  if (rows) *rows = 1;
  if (axis) axis[0] = 1.0, axis[1] = axis[2] = 0.0;
  if (other) other[0] = 0.0, other[1] = 1.0;
  if (point) point[0] = 5.0;
  if (normal) normal[0] = 0.0, normal[1] = 1.0, normal[2] = 0.0;
  if (radius && is_type(type, "sphere_sphere")) radius[0] = fabs(radius[0]);
  if (strcmp(type->call, "nsds_spring") == 0) {
    *stiffness += 1.0;
    *length = 0.0;
  }
  if (settles) *settles = false;
  if (is_of("system", type)) complete_system(type, def);
  complete_target(type, def);
  if (type->ny_at) complete_relation(type, def);
  if (is_of("contact set", type)) complete_set(model, type, def);
  if (member(type, def, "t1")) complete_times(type, def);
  if (type->bytes == sizeof(nsds_shape_def)) complete_shape(type, def);
  if (D && coordinate && *coordinate > NSDS_COORDINATE_DISPLACEMENT) *D = 0.0;
  if (type->kind) memcpy(def + type->kind_at, &type->kind, sizeof type->kind);
  if (strcmp(type->call, "nsds_spring") == 0)
    ((nsds_spring_def *)(void *)def)->coordinates = !is_type(type, "spring");
  bool bodies = !is_type(type, "coordinate_spring");
  nsds_ds *ds[2] = {nsds_ds_at(model, bodies ? 0 : 2), nsds_ds_at(model, bodies ? 1 : 3)};
  if (type->most_systems) memcpy(def + type->systems_at, ds, sizeof ds);
}

static void draw_definition(nsds_model *model, const nsds_type *type, char *def) {
  memset(def, 0, most_bytes);
  for (const nsds_field *f = type->field; f->name; ++f)
    if (f->option) draw_option(f, def);
    else if (f->bytes) draw_field(f, def);
  complete(model, type, def);
}

static nsds_model *some_model(void) {
  nsds_model *model = nsds_model_create(NULL);
  const double mass[1] = {1.0}, inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int k = 0; k < 2; ++k)
    nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0, .inertia = inertia});
  for (int k = 0; k < 2; ++k)
    nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = mass});
  nsds_shapes(model, &(nsds_shapes_def){.law = nsds_newton_impact(model, 0.0)});
  assert_sound(model);
  return model;
}

/* Returns true for a part of nsds_time_stepping_def. */
static bool is_of_steps(const nsds_type *type) {
  return is_of("scheme", type) || is_of("newton", type) || is_of("activation", type) ||
         is_of("projection", type);
}

/* Returns true if the test can make objects of a type: rows say all of its definition. */
static bool can_be_made(const nsds_type *type) {
  bool shape = type->bytes == sizeof(nsds_shape_def) && type->kind;
  for (const nsds_field *f = type->field; shape && f->name; ++f)
    if (f->kind == NSDS_FIELD_MATRIX) return false;
  return type->make || shape || is_of_steps(type);
}

/* Puts a part into the definition of a simulation. Returns false if its systems are of first order. */
static bool put_part(const nsds_type *type, const char *def, nsds_time_stepping_def *steps) {
  bool scheme = is_of("scheme", type), first = scheme && type->kind < NSDS_MOREAU_JEAN;
  void *to = first                       ? (void *)&steps->first_order
             : scheme                    ? (void *)&steps->second_order
             : is_of("newton", type)     ? (void *)&steps->newton
             : is_of("projection", type) ? (void *)&steps->projection
                                         : (void *)&steps->activation;
  memcpy(to, def, type->bytes);
  if (is_of("activation", type)) steps->activation.given = true;
  return !first;
}

/* Makes a simulation of one system with the part. */
static bool makes_steps(nsds_model *model, const nsds_type *type, const char *def) {
  nsds_model *own = nsds_model_create(nsds_model_context(model));
  nsds_time_stepping_def steps = {.t1 = 1.0, .h = 0.1};
  const double one[1] = {1.0};
  if (put_part(type, def, &steps))
    nsds_lagrangian_linear(own, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one});
  else nsds_first_order_linear(own, &(nsds_first_order_linear_def){.n = 1, .A = one});
  bool fine = nsds_time_stepping(own, &steps) != NULL;
  nsds_model_destroy(own);
  return fine;
}

/* Makes an adaptive simulation of one system: it takes no contact sets. */
static bool makes_adaptive(nsds_model *model, const nsds_type *type, const char *def) {
  nsds_model *own = nsds_model_create(nsds_model_context(model));
  const double one[1] = {1.0};
  nsds_first_order_linear(own, &(nsds_first_order_linear_def){.n = 1, .A = one});
  bool fine = type->make(own, def) != NULL;
  nsds_model_destroy(own);
  return fine;
}

static bool made(nsds_model *model, const nsds_type *type, const char *def) {
  if (is_of_steps(type)) return makes_steps(model, type, def);
  if (is_type(type, "adaptive")) return makes_adaptive(model, type, def);
  if (type->make) return type->make(model, def) != NULL;
  return nsds_shapes_add(nsds_model_contact_set_at(model, 0),
                         (const nsds_shape_def *)(const void *)def) >= 0;
}

static void accepted(nsds_model *model, const nsds_type *type, const char *def) {
  if (!made(model, type, def))
    fail_msg("%s: %s", type->call, nsds_error_message(nsds_model_context(model)));
}

static void refused(nsds_model *model, const nsds_type *type, const char *def, const char *name) {
  nsds_context *context = nsds_model_context(model);
  const char *dot = strrchr(name, '.');
  const char *call = is_of("scheme", type) ? "nsds_time_stepping" : type->call;
  const char *const words[] = {call, dot ? dot + 1 + strspn(dot + 1, " ") : name, "is"};
  if (made(model, type, def)) fail_msg("%s accepts a wrong %s", type->call, name);
  assert_words(nsds_error_message(context), words, 3);
  nsds_error_clear(context);
}

/* Gives an option a value that it cannot have. */
static bool spoil_option(const nsds_field *field, char *def) {
  if (!field->option || field->kind != NSDS_FIELD_NUMBER) return false;
  *(unsigned *)(void *)(def + field->count) |= field->option;
  *(double *)(void *)(def + field->offset) = uniform(0.0, 1.0) < 0.5 ? NAN : 1.5;
  return true;
}

/* Puts a value into a definition that is not in the range of a field. */
static bool spoil(const nsds_field *field, char *def) {
  void *to = def + field->offset;
  double low = 0.0, high = 0.0, which = uniform(0.0, 1.0);
  bool bounded = bounds(field->range, &low, &high);
  double below = low - uniform(0.1, 5.0);
  if (field->pointer || !field->bytes || field->option) return spoil_option(field, def);
  if (field->kind == NSDS_FIELD_INTEGER && field->range) /* 0 would mean the default */
    put_integer(field, to, (long)floor(fmin(below, 0.0) - 1.0));
  else if (field->kind == NSDS_FIELD_VECTOR && !field->whole)
    *(double *)to = which < 0.5 ? NAN : INFINITY;
  else if (field->kind != NSDS_FIELD_NUMBER) return false;
  else if (which < 0.15) *(double *)to = NAN;
  else if (which < 0.3 && !(bounded && isinf(high))) *(double *)to = INFINITY;
  else if (field->range)
    *(double *)to = bounded && which < 0.6 && isfinite(high)
                        ? high + uniform(0.1, 9.0) * fmax(1.0, fabs(high))
                        : below;
  else *(double *)to = -INFINITY;
  return true;
}

static void each_type(void (*test)(nsds_model *, const nsds_type *)) {
  for (size_t k = 0; k < sizeof families / sizeof *families; ++k) {
    const nsds_family *family = nsds_catalogue(families[k]);
    assert_non_null(family);
    nsds_model *model = some_model();
    for (const nsds_type *const *t = family->member; *t; ++t) test(model, *t);
    nsds_model_destroy(model);
  }
}

static void drawn_type(nsds_model *model, const nsds_type *type) {
  char def[most_bytes];
  for (int k = 0; can_be_made(type) && k < draws; ++k) {
    draw_definition(model, type, def);
    accepted(model, type, def);
  }
}

static void drawn_definitions_are_accepted(void **state) {
  (void)state;
  each_type(drawn_type);
}

static void spoilt_type(nsds_model *model, const nsds_type *type) {
  char def[most_bytes];
  for (int k = 0; can_be_made(type) && k < draws; ++k)
    for (const nsds_field *f = type->field; f->name; ++f) {
      if (strcmp(f->name, "angle") == 0) continue; /* in space it is not read */
      draw_definition(model, type, def);
      if (spoil(f, def)) refused(model, type, def, f->member);
    }
}

static void values_out_of_range_are_refused(void **state) {
  (void)state;
  each_type(spoilt_type);
}

static void reserved_type(nsds_model *model, const nsds_type *type) {
  char def[most_bytes];
  for (size_t at = type->tail; can_be_made(type) && at && at < type->bytes;
       at += sizeof(uint64_t)) {
    draw_definition(model, type, def);
    def[at + (size_t)uniform(0.0, 7.9)] = 1;
    refused(model, type, def, "reserved");
  }
}

static void reserved_words_are_refused(void **state) {
  (void)state;
  each_type(reserved_type);
}

static size_t size_of_kind(const nsds_field *field) {
  if (field->pointer) return sizeof(double *);
  if (field->bytes == sizeof(long) && field->kind == NSDS_FIELD_INTEGER) return sizeof(long);
  if (field->option && field->kind == NSDS_FIELD_TRUTH) return sizeof(unsigned);
  if (field->kind == NSDS_FIELD_FUNCTION) return sizeof(nsds_operator);
  if (field->kind == NSDS_FIELD_VALUES) return sizeof(double *);
  switch (field->kind) {
  case NSDS_FIELD_NUMBER: return sizeof(double);
  case NSDS_FIELD_TRUTH: return sizeof(bool);
  case NSDS_FIELD_INTEGER:
  case NSDS_FIELD_WORD: return sizeof(int);
  default: return 0;
  }
}

/* A part of a definition is a definition of its family. */
static void fitting_part(const nsds_field *field) {
  for (const nsds_type *const *t = nsds_catalogue(field->family)->member; *t; ++t)
    assert_int_equal((*t)->bytes, field->bytes);
}

static void fitting_type(nsds_model *model, const nsds_type *type) {
  int least, most;
  (void)model;
  assert_true(type->call && type->help && type->bytes <= most_bytes);
  for (const nsds_field *f = type->field; f->name; ++f) {
    assert_true(f->help && f->help[strlen(f->help) - 1] == '.');
    for (const nsds_field *g = type->field; g != f; ++g) assert_string_not_equal(f->name, g->name);
    if (!f->bytes) continue;
    assert_true(f->offset + f->bytes <= type->bytes && f->member);
    if (f->kind == NSDS_FIELD_OBJECT) fitting_part(f);
    else if (size_of_kind(f)) assert_int_equal(f->bytes, size_of_kind(f));
    else
      for (int dimension = 2; dimension <= 3; ++dimension) {
        assert_true(sizes(f->size, dimension, &least, &most) && least >= 1 && least <= most);
        assert_true((size_t)most * (f->whole ? sizeof(int) : sizeof(double)) <= f->bytes);
      }
  }
}

static void rows_fit_their_members(void **state) {
  (void)state;
  each_type(fitting_type);
}

static void families_have_names(void **state) {
  (void)state;
  assert_null(nsds_catalogue(NULL));
  assert_null(nsds_catalogue("lore"));
  assert_string_equal(nsds_catalogue("law")->name, "law");
}

/* Names of kinds of joints come from their list. */
static void kinds_of_joints_have_one_order(void **state) {
  (void)state;
  int kind = 0;
  for (const nsds_type *const *t = nsds_catalogue("relation")->member; *t; ++t)
    if (strcmp((*t)->call, "nsds_joint") == 0) assert_int_equal((*t)->kind, ++kind);
  assert_int_equal(kind, NSDS_JOINT_PLANAR);
}

static void zero_means_the_default(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  assert_non_null(
      nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.5}));
  assert_non_null(
      nsds_distributing_impact(model, &(nsds_distributing_impact_def){.stiffness = 1.0}));
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(families_have_names),
      cmocka_unit_test(rows_fit_their_members),
      cmocka_unit_test(kinds_of_joints_have_one_order),
      cmocka_unit_test(zero_means_the_default),
      cmocka_unit_test(drawn_definitions_are_accepted),
      cmocka_unit_test(values_out_of_range_are_refused),
      cmocka_unit_test(reserved_words_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
