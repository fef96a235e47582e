#ifndef NSDS_SRC_ROUND_MAKE_H
#define NSDS_SRC_ROUND_MAKE_H

#include "kernel/contact/shape_set.h"
#include "kernel/contact/volume_moments.h"

/* Makes the round surface of a core from a definition, with its attitude R in the body. */
nsds_status nsds_round_make(nsds_context *context, const nsds_shape_def *def, const double *R,
                            nsds_core *core);
/* Puts a mesh of the surface into the solid, for programs that draw it. */
nsds_status nsds_round_mesh(nsds_context *context, nsds_solid *solid);
/* Adds the moments of a round core about an origin. */
nsds_moments nsds_round_moments(const nsds_core *core);

#endif
