/* Systems, relations, laws, geometries, integrators and solvers of the fuzzer's own. */
#ifndef NSDS_TEST_FUZZ_OWN_TYPES_H
#define NSDS_TEST_FUZZ_OWN_TYPES_H

#include "fuzz.h"

enum { OWN_OPS = 3, OWN_GEOMETRIES = 3, OWN_INTEGRATORS = 3, OWN_SOLVERS = 3 };

/* The last of each lacks what is required. */
extern const nsds_second_order_ops own_second[OWN_OPS]; /* the second one has T(q) */
extern const nsds_first_order_ops own_first[OWN_OPS];   /* the second one reads rates */
extern const nsds_relation_ops
    own_relations[OWN_OPS + 1]; /* second order, first order, mixed, bad */
extern const nsds_law_ops own_laws[OWN_OPS];
extern const nsds_geometry_ops own_geometries[OWN_GEOMETRIES]; /* the second one can be followed */
extern const nsds_integrator own_integrators[OWN_INTEGRATORS]; /* of order 1, 2 */
extern const nsds_solver_ops own_solvers[OWN_SOLVERS];

/* What `self` is: of a relation, a law, a geometry. */
typedef struct own_relation {
  int ny, shift;
} own_relation;

typedef struct own_law {
  bool friction; /* two rows in place of one */
  double mu;
} own_law;

typedef struct own_geometry {
  nsds_ds *ds[3];
  nsds_law *law;
  int count, rows, law_rows; /* what its contacts have, and a copy of the law */
  unsigned wrong;            /* 0: nothing; else what is wrong with a contact */
} own_geometry;

/* Memory for `self`, which the library frees through own_free(), counted. */
void *own_self(size_t size);
void own_free(void *self);

#endif
