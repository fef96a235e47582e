#ifndef NSDS_SRC_NSGS_CONTACT_H
#define NSDS_SRC_NSGS_CONTACT_H

#include "numerics/sweeps/sweeps.h"
#include "numerics/sweeps/one_contact.h"

/* Solves one contact by the kind of local problem, from a start in x. x is relaxed. */
void nsds_pack_solve(const double *M, double mu, nsds_local_kind kind, const double *q, double *x);
void nsds_pack_relax(double mu, double omega, const double *z, double *x);
/* Updates a contact in space. On entry q is the rest, on return the change of z. */
static inline double nsds_contact_update(const nsds_contact_matrix *contact, double mu,
                                         nsds_local_kind local, double omega, double *z,
                                         double *q) {
  bool exact = local == NSDS_LOCAL_EXACT;
  if (q[0] >= 0.0 && z[0] == 0.0 && exact) return 0.0; /* open, and stays open */
  double x[3] = {z[0], z[1], z[2]}, size = 0.0;
  if (!exact || nsds_one_contact_3d(contact, mu, q, x) == NSDS_CONTACT_UNSOLVED)
    nsds_pack_solve(contact->M, mu, local, q, x);
  if (omega != 1.0) nsds_pack_relax(mu, omega, z, x);
  for (int i = 0; i < 3; ++i) {
    q[i] = x[i] - z[i];
    z[i] = x[i];
    size += q[i] * q[i];
  }
  return size;
}

#endif
