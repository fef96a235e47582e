/*
 * The peer's side (Siconos) of the event-driven cases: EventDriven with LsodarOSI in its default
 * tolerances, 10 and 100 units of rounding, and LCP for impacts and for accelerations. VARIANT is
 * `lsodar`.
 *
 * A case derives from `driven`, fills it in its constructor and is run by driven_main<case>().
 */
#ifndef NSDS_BENCH_PEER_DRIVEN_HPP
#define NSDS_BENCH_PEER_DRIVEN_HPP

#include "../bench.h"
#include "../falling.h"

#include <Event.hpp>
#include <EventDriven.hpp>
#include <EventsManager.hpp>
#include <Interaction.hpp>
#include <LCP.hpp>
#include <LagrangianLinearTIDS.hpp>
#include <LagrangianLinearTIR.hpp>
#include <LsodarOSI.hpp>
#include <NewtonImpactNSL.hpp>
#include <NonSmoothDynamicalSystem.hpp>
#include <SiconosVector.hpp>
#include <SimpleMatrix.hpp>
#include <TimeDiscretisation.hpp>

#include <exception>
#include <memory>
#include <vector>

class driven {
public:
  ~driven() { falling_free(&watched); }

  void run(long steps) {
    for (long k = 0; k < steps;) {
      simulation->advanceToEvent();
      bool grid = simulation->eventsManager()->nextEvent()->getType() == 1;
      simulation->processEvents();
      ++events;
      if (!grid) continue;
      for (int i = 0; i < watched.n; ++i)
        falling_note(&watched, k, i, (*systems[i]->q())(0), (*systems[i]->velocity())(0));
      ++k;
    }
  }

  void report() const {
    for (const SP::LagrangianDS &ds : systems) {
      for (unsigned i = 0; i < ds->q()->size(); ++i) bench_value((*ds->q())(i));
      for (unsigned i = 0; i < ds->velocity()->size(); ++i) bench_value((*ds->velocity())(i));
    }
    printf("events %ld\n", events);
    if (watched.n > 0) falling_report(&watched);
  }

protected:
  /* compare: the states with parabolas, which takes that impacts do not accumulate. */
  driven(long steps, falling f, bool compare = true)
      : watched(f), model(std::make_shared<NonSmoothDynamicalSystem>(0.0, double(steps + 2) * f.h)) {
    if (!compare) watched.n = 0;
    falling_reserve(&watched, steps);
    auto impact = std::make_shared<NewtonImpactNSL>(f.e);
    for (int i = 0; i < f.n; ++i) {
      auto bead = std::make_shared<LagrangianLinearTIDS>(vector(f.bottom + i * f.pitch),
                                                         vector(0.0), row({1.0}));
      bead->setFExtPtr(vector(-9.81));
      model->insertDynamicalSystem(bead);
      if (i == 0) model->link(contact(impact, {1.0}, -f.radius), bead);
      else model->link(contact(impact, {-1.0, 1.0}, -2.0 * f.radius), systems.back(), bead);
      systems.push_back(bead);
    }
    simulation =
        std::make_shared<EventDriven>(model, std::make_shared<TimeDiscretisation>(0.0, f.h));
    simulation->insertIntegrator(std::make_shared<LsodarOSI>());
    simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_IMPACT);
    simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
    simulation->initialize();
  }

private:
  static SP::SiconosVector vector(double x) { return std::make_shared<SiconosVector>(1, x); }

  static SP::SimpleMatrix row(const std::vector<double> &entries) {
    SP::SimpleMatrix m = std::make_shared<SimpleMatrix>(1, unsigned(entries.size()));
    for (unsigned j = 0; j < entries.size(); ++j) (*m)(0, j) = entries[j];
    return m;
  }

  static SP::Interaction contact(SP::NonSmoothLaw law, const std::vector<double> &H, double b) {
    return std::make_shared<Interaction>(law,
                                         std::make_shared<LagrangianLinearTIR>(row(H), vector(b)));
  }

  falling watched;
  long events = 0;
  SP::NonSmoothDynamicalSystem model;
  std::vector<SP::LagrangianDS> systems; /* in the order of our side */
  SP::EventDriven simulation;
};

template <class Case> int driven_main(int argc, char **argv) {
  bench_case c;
  c.build = [](const char *size, long steps, const char *) -> void * {
    try {
      return new Case(size, steps);
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
