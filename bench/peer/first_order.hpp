/*
 * The peer's side of the cases with a first-order system: TimeStepping with EulerMoreauOSI and LCP or
 * Relay. VARIANT names the solver of the nonsmooth problem, besides those of stepping.hpp
 *
 *   enum        LCP or relay: trying combinations
 *   caoferris   relay: Cao and Ferris' pivoting method, the default of Siconos
 */
#ifndef NSDS_BENCH_PEER_FIRST_ORDER_HPP
#define NSDS_BENCH_PEER_FIRST_ORDER_HPP

#include "stepping.hpp"

#include <ComplementarityConditionNSL.hpp>
#include <EulerMoreauOSI.hpp>
#include <FirstOrderLinearTIDS.hpp>
#include <FirstOrderLinearTIR.hpp>
#include <Relay.hpp>
#include <RelayNSL.hpp>
#include <relay_cst.h>

#include <map>

class first_order : public stepping {
public:
  void report() const {
    for (unsigned i = 0; i < system->x()->size(); ++i) bench_value((*system->x())(i));
  }

protected:
  SP::FirstOrderLinearTIDS system;

  first_order(long steps, double step) : stepping(steps, step), h(step) {}

  /* A matrix from its columns, as the library takes it. */
  static SP::SimpleMatrix matrix(unsigned rows, unsigned cols, const std::vector<double> &columns) {
    SP::SimpleMatrix m = std::make_shared<SimpleMatrix>(rows, cols);
    for (unsigned j = 0; j < cols; ++j)
      for (unsigned i = 0; i < rows; ++i) (*m)(i, j) = columns[i + j * rows];
    return m;
  }

  static SP::SiconosVector vector(const std::vector<double> &entries) {
    SP::SiconosVector v = std::make_shared<SiconosVector>(unsigned(entries.size()));
    for (unsigned i = 0; i < entries.size(); ++i) (*v)(i) = entries[i];
    return v;
  }

  void add(const std::vector<double> &x0, const SP::SimpleMatrix &A) {
    system = std::make_shared<FirstOrderLinearTIDS>(vector(x0), A);
    model->insertDynamicalSystem(system);
  }

  void link(const SP::NonSmoothLaw &law, const SP::SimpleMatrix &C, const SP::SimpleMatrix &D,
            const SP::SimpleMatrix &B) {
    auto relation = std::make_shared<FirstOrderLinearTIR>(C, B);
    if (D) relation->setDPtr(D);
    model->link(std::make_shared<Interaction>(law, relation), system);
  }

  void start(double theta, const SP::OneStepNSProblem &problem) {
    simulation = std::make_shared<TimeStepping>(model, std::make_shared<TimeDiscretisation>(0.0, h),
                                                std::make_shared<EulerMoreauOSI>(theta), problem);
    simulation->initialize();
  }

  void start_lcp(double theta, const std::string &variant) {
    const std::map<std::string, int> known = {{"", SICONOS_LCP_LEMKE},
                                              {"lemke", SICONOS_LCP_LEMKE},
                                              {"newton_fb", SICONOS_LCP_NEWTON_FB_FBLSA},
                                              {"enum", SICONOS_LCP_ENUM}};
    start(theta, std::make_shared<LCP>(known.at(variant)));
  }

  void start_relay(double theta, const std::string &variant) {
    const std::map<std::string, int> known = {{"", SICONOS_RELAY_AVI_CAOFERRIS},
                                              {"caoferris", SICONOS_RELAY_AVI_CAOFERRIS},
                                              {"lemke", SICONOS_RELAY_LEMKE},
                                              {"enum", SICONOS_RELAY_ENUM},
                                              {"pgs", SICONOS_RELAY_PGS}};
    start(theta, std::make_shared<Relay>(known.at(variant)));
  }

private:
  double h;
};

#endif
