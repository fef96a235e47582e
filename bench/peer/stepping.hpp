/*
 * The peer's side (Siconos) of the cases that advance a model by Moreau-Jean time stepping: its
 * usual path, TimeStepping with MoreauJeanOSI and LCP. VARIANT names the LCP solver:
 *
 *   lemke      Lemke's method, the default of Siconos
 *   newton_fb  semismooth Newton on the Fischer-Burmeister function with line search
 *
 * A case derives from `stepping`, fills it in its constructor and is run by stepping_main<case>().
 */
#ifndef NSDS_BENCH_PEER_STEPPING_HPP
#define NSDS_BENCH_PEER_STEPPING_HPP

#include "../bench.h"

#include <Interaction.hpp>
#include <LCP.hpp>
#include <LagrangianLinearTIDS.hpp>
#include <LagrangianLinearTIR.hpp>
#include <MoreauJeanOSI.hpp>
#include <NewtonImpactNSL.hpp>
#include <NonSmoothDynamicalSystem.hpp>
#include <SiconosVector.hpp>
#include <SimpleMatrix.hpp>
#include <TimeDiscretisation.hpp>
#include <TimeStepping.hpp>
#include <lcp_cst.h>

#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <vector>

class stepping {
public:
  void run(long steps) {
    for (long k = 0; k < steps; ++k) {
      simulation->computeOneStep();
      simulation->nextStep();
    }
  }

  void report() const {
    for (const SP::LagrangianDS &ds : systems) {
      for (unsigned i = 0; i < ds->q()->size(); ++i) bench_value((*ds->q())(i));
      for (unsigned i = 0; i < ds->velocity()->size(); ++i) bench_value((*ds->velocity())(i));
    }
  }

protected:
  SP::NonSmoothDynamicalSystem model;
  std::vector<SP::LagrangianDS> systems; /* in the order of our side */
  SP::TimeStepping simulation;

  stepping(long steps, double step)
      : model(std::make_shared<NonSmoothDynamicalSystem>(0.0, double(steps + 1) * step)), h(step) {}

  /* Adds a system. */
  template <class System> std::shared_ptr<System> add(std::shared_ptr<System> ds) {
    model->insertDynamicalSystem(ds);
    systems.push_back(ds);
    return ds;
  }

  static SP::SiconosVector vector(double x) { return std::make_shared<SiconosVector>(1, x); }

  static SP::SimpleMatrix row(const std::vector<double> &entries) {
    SP::SimpleMatrix m = std::make_shared<SimpleMatrix>(1, unsigned(entries.size()));
    for (unsigned j = 0; j < entries.size(); ++j) (*m)(0, j) = entries[j];
    return m;
  }

  /* y = H q + b with Newton impact. */
  static SP::Interaction contact(SP::NonSmoothLaw law, const std::vector<double> &H, double b) {
    return std::make_shared<Interaction>(law,
                                         std::make_shared<LagrangianLinearTIR>(row(H), vector(b)));
  }

  /* The last thing a constructor does, but for newton() where the model is not linear. gamma: of the
   * test whether a contact is active; not a number: 1/2. */
  void start(double theta, const std::string &variant,
             double gamma = std::numeric_limits<double>::quiet_NaN()) {
    int solver = SICONOS_LCP_LEMKE;
    if (variant == "newton_fb") solver = SICONOS_LCP_NEWTON_FB_FBLSA;
    else if (!variant.empty() && variant != "lemke")
      throw std::invalid_argument("variant " + variant + " is neither lemke nor newton_fb");
    simulation = std::make_shared<TimeStepping>(model, std::make_shared<TimeDiscretisation>(0.0, h),
                                                std::make_shared<MoreauJeanOSI>(theta, gamma),
                                                std::make_shared<LCP>(solver));
    simulation->initialize();
  }

  void newton(double tolerance, unsigned most) {
    simulation->setNewtonTolerance(tolerance);
    simulation->setNewtonMaxIteration(most);
  }

private:
  double h;
};

template <class Case> int stepping_main(int argc, char **argv) {
  bench_case c;
  c.build = [](const char *size, long steps, const char *variant) -> void * {
    try {
      return new Case(size, steps, variant);
    } catch (const std::exception &e) {
      fprintf(stderr, "%s\n", e.what());
    } catch (...) {
      fprintf(stderr, "the peer threw an exception while the model was built\n");
    }
    return nullptr;
  };
  c.run = [](void *self, long steps) -> int {
    try {
      static_cast<Case *>(self)->run(steps);
      return 1;
    } catch (...) {
      fprintf(stderr, "the peer threw an exception while stepping\n");
    }
    return 0;
  };
  c.report = [](void *self) { static_cast<Case *>(self)->report(); };
  c.destroy = [](void *self) { delete static_cast<Case *>(self); };
  return bench_main(argc, argv, &c);
}

#endif
