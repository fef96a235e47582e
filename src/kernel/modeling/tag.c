/*
 * Names and user pointers of the objects of a model. Tags affect no result and may be set from
 * anywhere. Labels made from a name follow the name.
 */
#include "base/context.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

/* Returns the object behind a handle, or NULL with the error recorded. Refuses NULL in calls that
 * set. */
static nsds_ds *tag_ds(const nsds_ds *ds, const char *call, bool sets) {
  if (!ds && sets) nsds_fail_null(NULL, call, "ds");
  return nsds_ds_find(ds, call);
}

static nsds_relation *tag_relation(const nsds_relation *relation, const char *call, bool sets) {
  if (!relation && sets) nsds_fail_null(NULL, call, "relation");
  return nsds_relation_find(relation, call);
}

static nsds_interaction *tag_interaction(const nsds_interaction *interaction, const char *call,
                                         bool sets) {
  if (!interaction && sets) nsds_fail_null(NULL, call, "interaction");
  return nsds_interaction_find(interaction, call);
}

static nsds_contact_set *tag_set(const nsds_contact_set *set, const char *call, bool sets) {
  return set || sets ? nsds_contact_set_alive(set, call) : NULL;
}

static nsds_law *tag_law(const nsds_law *law, const char *call, bool sets) {
  if (!law && sets) nsds_fail_null(NULL, call, "law");
  return (nsds_law *)(uintptr_t)law;
}

static nsds_model *tag_model(const nsds_model *model, const char *call, bool sets) {
  if (!model && sets) nsds_fail_null(NULL, call, "model");
  return (nsds_model *)(uintptr_t)model;
}

/* ---- model ---- */

const char *nsds_model_name(const nsds_model *model) {
  const nsds_model *found = tag_model(model, "nsds_model_name", false);
  return found ? found->tag.name : "";
}

nsds_status nsds_model_set_name(nsds_model *model, const char *name) {
  nsds_model *found = tag_model(model, "nsds_model_set_name", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  nsds_tag_name(&found->tag, name);
  return NSDS_OK;
}

void *nsds_model_user(const nsds_model *model) {
  const nsds_model *found = tag_model(model, "nsds_model_user", false);
  return found ? found->tag.user : NULL;
}

nsds_status nsds_model_set_user(nsds_model *model, void *user) {
  nsds_model *found = tag_model(model, "nsds_model_set_user", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  found->tag.user = user;
  return NSDS_OK;
}

/* ---- ds ---- */

const char *nsds_ds_name(const nsds_ds *ds) {
  const nsds_ds *found = tag_ds(ds, "nsds_ds_name", false);
  return found ? found->tag.name : "";
}

nsds_status nsds_ds_set_name(nsds_ds *ds, const char *name) {
  nsds_ds *found = tag_ds(ds, "nsds_ds_set_name", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  nsds_tag_name(&found->tag, name);
  if (found->caller) nsds_ds_label(found, found->caller->label);
  return NSDS_OK;
}

void *nsds_ds_user(const nsds_ds *ds) {
  const nsds_ds *found = tag_ds(ds, "nsds_ds_user", false);
  return found ? found->tag.user : NULL;
}

nsds_status nsds_ds_set_user(nsds_ds *ds, void *user) {
  nsds_ds *found = tag_ds(ds, "nsds_ds_set_user", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  found->tag.user = user;
  return NSDS_OK;
}

/* ---- relation ---- */

const char *nsds_relation_name(const nsds_relation *relation) {
  const nsds_relation *found = tag_relation(relation, "nsds_relation_name", false);
  return found ? found->tag.name : "";
}

nsds_status nsds_relation_set_name(nsds_relation *relation, const char *name) {
  nsds_relation *found = tag_relation(relation, "nsds_relation_set_name", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  nsds_tag_name(&found->tag, name);
  if (found->caller) nsds_relation_label(found, found->caller->label);
  return NSDS_OK;
}

void *nsds_relation_user(const nsds_relation *relation) {
  const nsds_relation *found = tag_relation(relation, "nsds_relation_user", false);
  return found ? found->tag.user : NULL;
}

nsds_status nsds_relation_set_user(nsds_relation *relation, void *user) {
  nsds_relation *found = tag_relation(relation, "nsds_relation_set_user", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  found->tag.user = user;
  return NSDS_OK;
}

/* ---- law ---- */

const char *nsds_law_name(const nsds_law *law) {
  const nsds_law *found = tag_law(law, "nsds_law_name", false);
  return found ? found->tag.name : "";
}

nsds_status nsds_law_set_name(nsds_law *law, const char *name) {
  nsds_law *found = tag_law(law, "nsds_law_set_name", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  nsds_tag_name(&found->tag, name);
  return NSDS_OK;
}

void *nsds_law_user(const nsds_law *law) {
  const nsds_law *found = tag_law(law, "nsds_law_user", false);
  return found ? found->tag.user : NULL;
}

nsds_status nsds_law_set_user(nsds_law *law, void *user) {
  nsds_law *found = tag_law(law, "nsds_law_set_user", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  found->tag.user = user;
  return NSDS_OK;
}

/* ---- interaction ---- */

const char *nsds_interaction_name(const nsds_interaction *interaction) {
  const nsds_interaction *found = tag_interaction(interaction, "nsds_interaction_name", false);
  return found ? found->tag.name : "";
}

nsds_status nsds_interaction_set_name(nsds_interaction *interaction, const char *name) {
  nsds_interaction *found = tag_interaction(interaction, "nsds_interaction_set_name", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  nsds_tag_name(&found->tag, name);
  return NSDS_OK;
}

void *nsds_interaction_user(const nsds_interaction *interaction) {
  const nsds_interaction *found = tag_interaction(interaction, "nsds_interaction_user", false);
  return found ? found->tag.user : NULL;
}

nsds_status nsds_interaction_set_user(nsds_interaction *interaction, void *user) {
  nsds_interaction *found = tag_interaction(interaction, "nsds_interaction_set_user", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  found->tag.user = user;
  return NSDS_OK;
}

/* ---- contact set ---- */

const char *nsds_contact_set_name(const nsds_contact_set *set) {
  const nsds_contact_set *found = tag_set(set, "nsds_contact_set_name", false);
  return found ? found->tag.name : "";
}

nsds_status nsds_contact_set_set_name(nsds_contact_set *set, const char *name) {
  nsds_contact_set *found = tag_set(set, "nsds_contact_set_set_name", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  nsds_tag_name(&found->tag, name);
  if (found->label) nsds_contact_set_label(found, found->label);
  return NSDS_OK;
}

void *nsds_contact_set_user(const nsds_contact_set *set) {
  const nsds_contact_set *found = tag_set(set, "nsds_contact_set_user", false);
  return found ? found->tag.user : NULL;
}

nsds_status nsds_contact_set_set_user(nsds_contact_set *set, void *user) {
  nsds_contact_set *found = tag_set(set, "nsds_contact_set_set_user", true);
  if (!found) return NSDS_ERROR_ARGUMENT;
  found->tag.user = user;
  return NSDS_OK;
}
