/*
 * Checks of definitions, field by field. A zero stands for the default of the field; "auto" and the
 * like leave the choice to the constructor. `first` stands for a 0 that means something else.
 * All other numbers must be finite and in the range.
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
  const char *call;
  const char *prefix; /* before names of members */
  const char *owner; /* zeros are values, and members are called "theta of second_order"; or NULL */
} checked;

typedef char member_name[nsds_label_size + 32];

static const char *checked_name(const checked *c, const nsds_field *field, member_name name) {
  if (c->owner) snprintf(name, sizeof(member_name), "%s of %s", field->member, c->owner);
  else snprintf(name, sizeof(member_name), "%s%s", c->prefix, field->member);
  return name;
}

static bool is_valid(const checked *c, const nsds_field *field, double value) {
  bool usual = value == 0.0 && field->fallback && !c->owner;
  bool finite = isfinite(value) || nsds_range_is_endless(field->range);
  return finite && (usual || nsds_range_has(field->range, value) ||
                    (field->first != 0 && value == field->first));
}

static bool check_number(const checked *c, const nsds_field *field, double *value) {
  member_name name;
  if (*value == 0.0 && !c->owner) *value = default_of(field);
  if (is_valid(c, field, *value)) return true;
  const char *valid = !field->range                   ? "finite values"
                      : strchr("[(", field->range[0]) ? "values in "
                                                      : "finite values ";
  nsds_fail(c->context, NSDS_ERROR_VALUE, "%s: %s is %g; valid are %s%s", c->call,
            checked_name(c, field, name), *value, valid, field->range ? field->range : "");
  return false;
}

static bool refuse_integer(const checked *c, const nsds_field *field, double value) {
  member_name name;
  double least, most;
  const char *in = field->range[0] == '[' ? "in " : "";
  checked_name(c, field, name);
  if (field->first != 0)
    nsds_fail(c->context, NSDS_ERROR_VALUE,
              "%s: %s is %.15g; valid are whole numbers %s%s, and %d for none", c->call, name,
              value, in, field->range, field->first);
  else if (nsds_range_bounds(field->range, &least, &most) && most == least + 1.0)
    nsds_fail(c->context, NSDS_ERROR_SIZE, "%s: %s is %.15g; valid are %g and %g", c->call, name,
              value, least, most);
  else
    nsds_fail(c->context, c->owner ? NSDS_ERROR_VALUE : NSDS_ERROR_SIZE,
              "%s: %s is %.15g; valid are whole numbers %s%s", c->call, name, value, in,
              field->range);
  return false;
}

static bool check_integer(const checked *c, const nsds_field *field, void *member) {
  bool wide = field->bytes == sizeof(long);
  long value = wide ? *(long *)member : *(int *)member;
  if (value == 0 && !c->owner) {
    value = (long)default_of(field);
    if (wide) *(long *)member = value;
    else *(int *)member = (int)value;
  }
  return is_valid(c, field, (double)value) || refuse_integer(c, field, (double)value);
}

/* Returns the number of words in "a b c". */
static int definition_count_words(const char *words) {
  int count = words[0] != '\0';
  for (; *words; ++words) count += *words == ' ';
  return count;
}

static bool check_choice(const checked *c, const nsds_field *field, int value) {
  member_name name;
  int last = field->first + definition_count_words(field->words) - 1;
  if ((value == 0 && field->fallback) || (value >= field->first && value <= last)) return true;
  nsds_fail(c->context, NSDS_ERROR_VALUE, "%s: %s is %d; valid are %d .. %d, that is %s", c->call,
            checked_name(c, field, name), value, field->first, last, field->words);
  return false;
}

/* Arrays of whole numbers are indices or counts, which the constructor knows. */
static bool definition_check_array(const checked *c, const nsds_field *field, const void *value) {
  member_name name;
  if (field->whole) return true;
  return nsds_check_finite(c->context, c->call, checked_name(c, field, name), value,
                           (int)(field->bytes / sizeof(double)));
}

static bool check_field(const checked *c, const nsds_field *field, char *own) {
  void *member = own + field->offset;
  bool left_out =
      field->option != 0 && !(*(unsigned *)(void *)(own + field->count) & field->option);
  if (!field->bytes || field->pointer || left_out) return true;
  switch (field->kind) {
  case NSDS_FIELD_NUMBER: return check_number(c, field, member);
  case NSDS_FIELD_INTEGER: return check_integer(c, field, member);
  case NSDS_FIELD_WORD: return check_choice(c, field, *(const int *)member);
  case NSDS_FIELD_VECTOR: return definition_check_array(c, field, member);
  default: return true;
  }
}

static bool check_fields(const checked *c, const nsds_field *field, void *own) {
  for (; field->name; ++field)
    if (!check_field(c, field, own)) return false;
  return true;
}

bool nsds_definition_check(nsds_context *context, const char *call, const char *prefix,
                           const nsds_field *field, void *own) {
  return check_fields(&(checked){context, call, prefix, NULL}, field, own);
}

bool nsds_definition_check_values(nsds_context *context, const char *call, const char *owner,
                                  const nsds_field *field, const void *own) {
  void *unchanged = (void *)(uintptr_t)own;
  return check_fields(&(checked){context, call, "", owner}, field, unchanged);
}

static bool has_reserved(nsds_context *context, const nsds_type *type, const char *prefix,
                         const char *own) {
  const uint64_t *reserved = (const uint64_t *)(const void *)(own + type->tail);
  return type->tail && nsds_check_reserved(context, type->call, prefix, reserved,
                                           (int)((type->bytes - type->tail) / sizeof *reserved));
}

bool nsds_definition_check_part(nsds_context *context, const nsds_type *type, const char *prefix,
                                void *own) {
  return !has_reserved(context, type, prefix, own) &&
         nsds_definition_check(context, type->call, prefix, type->field, own);
}

bool nsds_definition_copy(const nsds_model *model, const nsds_type *type, const void *def,
                          void *own) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), type->call, model ? "def" : "model");
    return false;
  }
  memcpy(own, def, type->bytes);
  return !has_reserved(model->context, type, "", own);
}

bool nsds_definition_take(const nsds_model *model, const nsds_type *type, const void *def,
                          void *own) {
  return nsds_definition_copy(model, type, def, own) &&
         nsds_definition_check(model->context, type->call, "", type->field, own);
}
