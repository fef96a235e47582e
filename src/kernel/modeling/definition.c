/*
 * Checks of definitions, field by field. A zero stands for the default of the field; "auto" and the
 * like leave the choice to the constructor. All other numbers must be finite and in the range.
 * Arrays behind pointers have sizes that the constructor alone knows, and are checked there.
 */
#include "kernel/modeling/definition.h"

#include "base/context.h"
#include "base/text/number.h"
#include "base/text/range.h"
#include "kernel/modeling/check.h"

#include <stdio.h>

/* Returns the default of a field as a number; 0 if it is a word, or if the field is required. */
static double default_of(const nsds_field *field) {
  double value = 0.0;
  if (field->fallback) nsds_decimal_begin(field->fallback, &value);
  return value;
}

/* The definition that is checked, for messages. */
typedef struct checked {
  nsds_context *context;
  const char *call, *prefix;
} checked;

static bool is_valid(const nsds_field *field, double value) {
  return (value == 0.0 && field->fallback) || nsds_range_has(field->range, value);
}

static bool check_number(const checked *c, const nsds_field *field, double *value) {
  if (*value == 0.0) *value = default_of(field);
  bool finite = isfinite(*value);
  if (finite && is_valid(field, *value)) return true;
  const char *valid = !field->range            ? "finite values"
                      : field->range[0] == '[' ? "values in "
                                               : "finite values ";
  nsds_fail(c->context, NSDS_ERROR_VALUE, "%s: %s%s is %g; valid are %s%s", c->call, c->prefix,
            field->member, *value, valid, field->range ? field->range : "");
  return false;
}

static bool check_integer(const checked *c, const nsds_field *field, int *value) {
  if (*value == 0) *value = (int)default_of(field);
  if (is_valid(field, *value)) return true;
  double least, most;
  if (nsds_range_bounds(field->range, &least, &most) && most == least + 1.0)
    nsds_fail(c->context, NSDS_ERROR_SIZE, "%s: %s%s is %d; valid are %g and %g", c->call,
              c->prefix, field->member, *value, least, most);
  else
    nsds_fail(c->context, NSDS_ERROR_SIZE, "%s: %s%s is %d; valid are whole numbers %s%s", c->call,
              c->prefix, field->member, *value, field->range[0] == '[' ? "in " : "", field->range);
  return false;
}

/* Returns the number of words in "a b c". */
static int definition_count_words(const char *words) {
  int count = words[0] != '\0';
  for (; *words; ++words) count += *words == ' ';
  return count;
}

static bool check_choice(const checked *c, const nsds_field *field, int value) {
  int last = field->first + definition_count_words(field->words) - 1;
  if ((value == 0 && field->fallback) || (value >= field->first && value <= last)) return true;
  nsds_fail(c->context, NSDS_ERROR_VALUE, "%s: %s%s is %d; valid are %d .. %d, that is %s", c->call,
            c->prefix, field->member, value, field->first, last, field->words);
  return false;
}

/* Arrays of whole numbers are indices or counts, which the constructor knows. */
static bool definition_check_array(const checked *c, const nsds_field *field, const void *value) {
  if (field->pointer || field->whole) return true;
  char name[nsds_label_size];
  snprintf(name, sizeof name, "%s%s", c->prefix, field->member);
  return nsds_check_finite(c->context, c->call, name, value, (int)(field->bytes / sizeof(double)));
}

static bool check_field(const checked *c, const nsds_field *field, void *value) {
  switch (field->kind) {
  case NSDS_FIELD_NUMBER: return check_number(c, field, value);
  case NSDS_FIELD_INTEGER: return check_integer(c, field, value);
  case NSDS_FIELD_WORD: return check_choice(c, field, *(const int *)value);
  case NSDS_FIELD_VECTOR: return definition_check_array(c, field, value);
  default: return true;
  }
}

bool nsds_definition_check(nsds_context *context, const char *call, const char *prefix,
                           const nsds_field *field, void *own) {
  const checked c = {context, call, prefix};
  for (; field->name; ++field)
    if (field->bytes && !check_field(&c, field, (char *)own + field->offset)) return false;
  return true;
}

bool nsds_definition_take(const nsds_model *model, const nsds_type *type, const void *def,
                          void *own) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), type->call, model ? "def" : "model");
    return false;
  }
  memcpy(own, def, type->bytes);
  const uint64_t *reserved = (const uint64_t *)(const void *)((const char *)own + type->tail);
  if (type->tail && nsds_check_reserved(model->context, type->call, "", reserved,
                                        (int)((type->bytes - type->tail) / sizeof *reserved)))
    return false;
  return nsds_definition_check(model->context, type->call, "", type->field, own);
}
