/*
 * All families of the catalogue. Types stand beside their constructors; the lists of their names are
 * in the public headers.
 */
#include "base/text/field_rows.h"
#include "kernel/adaptive/adaptive_driver.h"
#include "kernel/contact/material.h"
#include "kernel/contact/shape_types.h"
#include "kernel/events/event_type.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/relation.h"
#include "kernel/modeling/scheme.h"
#include "kernel/modeling/system_create.h"
#include "kernel/sensing/sensor.h"
#include "kernel/stepping/projection.h"

#include <nsds/catalogue.h>

#include <string.h>

#define LAW(name) &nsds_law_##name,
static const nsds_type *const laws[] = {NSDS_LAW_TYPES(LAW) NULL};

#define RELATION(name) &nsds_relation_##name,
static const nsds_type *const relations[] = {NSDS_RELATION_TYPES(RELATION) NULL};

#define SHAPE(name) &nsds_shape_##name,
static const nsds_type *const shapes[] = {NSDS_SHAPE_TYPES(SHAPE) NULL};

static const nsds_type *const simulations[] = {&nsds_time_stepping_type, &nsds_event_driven_type,
                                               &nsds_adaptive_type, NULL};

static const nsds_type *const systems[] = {&nsds_system_first_order_linear,
                                           &nsds_system_first_order,
                                           &nsds_system_lagrangian_linear,
                                           &nsds_system_lagrangian,
                                           &nsds_system_rigid_body,
                                           &nsds_system_rigid_body_2d,
                                           NULL};

static const nsds_type *const contact_sets[] = {&nsds_shapes_type, &nsds_spheres_type,
                                                &nsds_balls_type, NULL};

static const nsds_family families[] = {
    {"system", "A dynamical system: it has a state.", systems},
    {"law", "A nonsmooth law between y and lambda.", laws},
    {"relation", "A relation: it maps states of systems to y.", relations},
    {"term", "A coordinate of a coupler.", ONE(nsds_joint_term_type)},
    {"action", "Parts that act on a joint.", ONE(nsds_action_type)},
    {"drive", "A drive of a joint.", ONE(nsds_action_drive_type)},
    {"shape", "A shape of a body or of the scenery.", shapes},
    {"material", "A surface.", ONE(nsds_material_type)},
    {"material pair", "Two surfaces.", ONE(nsds_material_pair_type)},
    {"contact set", "Contacts that are found anew as bodies move.", contact_sets},
    {"plane", "A plane.", ONE(nsds_plane_type)},
    {"pair", "Two bodies.", ONE(nsds_pair_type)},
    {"sensor", "A sensor: numbers that a run reads by name.", nsds_sensor_types},
    {"scheme", "How a step discretises systems.", nsds_scheme_types},
    {"simulation", "How the model is advanced in time.", simulations},
    {"activation", "A test.", ONE(nsds_activation_type)},
    {"newton", "Options.", ONE(nsds_newton_type)},
    {"projection", "Options.", ONE(nsds_projection_type)}};

const nsds_family *nsds_catalogue(const char *family) {
  for (size_t k = 0; family && k < sizeof families / sizeof *families; ++k)
    if (strcmp(families[k].name, family) == 0) return &families[k];
  return NULL;
}
