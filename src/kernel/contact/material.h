#ifndef NSDS_SRC_MATERIAL_H
#define NSDS_SRC_MATERIAL_H

#include "kernel/contact/shape_set.h"

#include <nsds/catalogue.h>

extern const nsds_type nsds_material_type, nsds_material_pair_type;

bool nsds_make_laws(nsds_shape_set *set, const nsds_shapes_def *def);

#endif
