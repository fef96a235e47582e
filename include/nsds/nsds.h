/**
 * @file nsds.h
 * @brief Everything: include this one.
 */
#ifndef NSDS_NSDS_H
#define NSDS_NSDS_H

#include <nsds/adaptive.h>
#include <nsds/base.h>
#include <nsds/catalogue.h>
#include <nsds/contact.h>
#include <nsds/event_driven.h>
#include <nsds/extend.h>
#include <nsds/extend_solver.h>
#include <nsds/extend_step.h>
#include <nsds/first_order.h>
#include <nsds/global.h>
#include <nsds/io.h>
#include <nsds/joint.h>
#include <nsds/lagrangian.h>
#include <nsds/law.h>
#include <nsds/mass.h>
#include <nsds/matrix.h>
#include <nsds/mixed.h>
#include <nsds/model.h>
#include <nsds/nonlinear.h>
#include <nsds/plugin.h>
#include <nsds/problem.h>
#include <nsds/quantity.h>
#include <nsds/rigid_body.h>
#include <nsds/rollout.h>
#include <nsds/scheme.h>
#include <nsds/sensor.h>
#include <nsds/shapes.h>
#include <nsds/simulation.h>
#include <nsds/solver.h>
#include <nsds/spring.h>
#include <nsds/table.h>
#include <nsds/tie.h>
#include <nsds/tree.h>
#include <nsds/vtk.h>

#endif
