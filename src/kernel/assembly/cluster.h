#ifndef NSDS_SRC_CLUSTER_H
#define NSDS_SRC_CLUSTER_H

#include "kernel/assembly/plan.h"

nsds_status nsds_clusters_build(nsds_plan *plan);
void nsds_clusters_destroy(nsds_plan *plan);
nsds_status nsds_cluster_factor(nsds_plan *plan, nsds_cluster *cluster);
void nsds_cluster_solve_free(nsds_plan *plan, nsds_cluster *cluster);
void nsds_cluster_form_y(nsds_plan *plan, const nsds_contact *contact, const nsds_entry *entry,
                         const nsds_cluster *cluster);

#endif
