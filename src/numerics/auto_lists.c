/* The lists of "auto", see auto_lists.h. */
#include "numerics/auto_lists.h"

#include "base/base.h"
#include "numerics/linear/matrix.h"
#include "numerics/method_list.h"
#include "numerics/newton/proximal_newton.h"
#include "numerics/pivoting/lcp_form.h"
#include "numerics/sets/bounds.h"
#include "numerics/sweeps/sweeps.h"

#define METHOD(name) .method = &nsds_method_##name
#define STEPS(count) .iterations = (count)
#define OWN(what) .option = OPTION_FIRST_OWN, .value = (what)
#define HYPERSTATIC(what) .option = nsds_newton_hyperstatic, .value = (what)
#define ACCELERATION(what) .option = nsds_nsgs_acceleration, .value = (what)

const nsds_auto_rules nsds_auto_shipped = {
    /* Newton's method ends in a few steps or not at all. After it Lemke's method costs least on
     * small singular problems. Over bounded sets and in games it always ends with a solution. Rays
     * and cycles of Lemke's method, and problems that are not monotone, are left to the interior
     * point. If there are few bases, all are tried then; otherwise paths from other starts. */
    .small = {{METHOD(semismooth_newton), STEPS(50.0), OWN(0.0)},
              {METHOD(lemke), OWN(0.0)},
              {METHOD(interior_point)},
              {METHOD(enumeration), OWN(65536.0)},
              {METHOD(lemke), OWN(300.0)}},
    /* If factors are costly, as on grids, gradients find nearly all rows at their bounds before the
     * first factorization. In large problems cycles over several levels need no factors. If M is
     * much fuller than a grid, its coarser levels fill up, but gradients mostly end before that. */
    .large = {{METHOD(semismooth_newton), STEPS(5.0), OWN(0.0), .most_rows = 1000, .grid = true,
               .single = true},
              {METHOD(projected_gradient), STEPS(400.0), .most_rows = 1000, .grid = true,
               .single = true},
              {METHOD(projected_gradient), STEPS(400.0), .above = 5000, .grid = true, .fuller = 20},
              {METHOD(multigrid), .above = 5000, .grid = true},
              {METHOD(projected_gradient), STEPS(2000.0), .above = 1000, .most_rows = 5000,
               .grid = true},
              {METHOD(semismooth_newton), STEPS(50.0), OWN(1.0), .from_best = true},
              {METHOD(lemke), OWN(0.0), .most_rows = nsds_dense_limit},
              {METHOD(interior_point)}},
    /* If no bounds are known to hold, the path of the interior point finds them with fewer
     * factorizations. */
    .programme = {{METHOD(interior_point)},
                  {METHOD(semismooth_newton), STEPS(50.0), OWN(1.0)},
                  {METHOD(lemke), OWN(0.0), .most_rows = nsds_dense_limit}},
    /* Rows of polyhedra may have no unit in common. Sweeps and later methods for such problems need
     * one; pivots and the interior point do not. */
    .faceted = {{METHOD(nsgs), STEPS(100.0), ACCELERATION(-1.0)},
                {METHOD(lemke), OWN(0.0), .most_rows = nsds_dense_limit},
                {METHOD(interior_point)},
                {METHOD(nonsmooth_newton), HYPERSTATIC(1.0), STEPS(20000.0), .from_best = true}},
    /* Sweeps are cheap and often enough; otherwise they leave a good start for Newton's method. If
     * Newton's method does not end soon there, single solves begin again where the caller began:
     * Newton's method, sweeps or splitting may lead elsewhere. Sweeps go on while they advance: heaps
     * that yield need some thousand. Proximal points solve hyperstatic heaps, though slowly. If
     * those cost too much, the interior point follows, which large plane problems can afford, or
     * sweeps with momentum alone. */
    .curved = {{METHOD(nsgs), STEPS(NSDS_AUTO_PATIENT), ACCELERATION(-1.0)},
               {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(15.0), .from_best = true},
               {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(300.0), .most_rows = 200,
                .single = true},
               {METHOD(nsgs), STEPS(3000.0), ACCELERATION(-1.0), .most_rows = 200, .single = true},
               {METHOD(nsgs), STEPS(3000.0), ACCELERATION(-1.0), .from_best = true, .paced = true},
               {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(30.0), .above = 200,
                .single = true},
               {METHOD(admm), STEPS(400.0), .single = true},
               {METHOD(nonsmooth_newton), HYPERSTATIC(1.0), STEPS(20000.0), .most_rows = 6000,
                .from_best = true},
               {METHOD(interior_point), STEPS(60.0), .above = 6000},
               {METHOD(nsgs), STEPS(NSDS_AUTO_ENDURING), ACCELERATION(0.0), .above = 6000,
                .from_best = true}},
    /* Races. Up to 11 rows, trying all bases costs less than a method that fails. */
    .race_small = {{METHOD(semismooth_newton), STEPS(8.0), OWN(0.0)},
                   {METHOD(lemke), OWN(0.0)},
                   {METHOD(enumeration), OWN(2048.0)},
                   {METHOD(semismooth_newton), STEPS(42.0), OWN(1.0), .goes_on = true},
                   {METHOD(interior_point)},
                   {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(40.0)},
                   {METHOD(enumeration), OWN(65536.0)},
                   {METHOD(lemke), OWN(300.0)}},
    /* The pivots of a path cost as much as three dense factorizations, gradients much less. Boxes
     * lengthen paths. */
    .race_dense = {{METHOD(projected_gradient), STEPS(100.0), .symmetric = true},
                   {METHOD(projected_gradient), STEPS(150.0), .with = NSDS_SET_EQUALITY,
                    .symmetric = true, .goes_on = true},
                   {METHOD(admm), STEPS(800.0), .above = 120, .with = NSDS_SET_BOX},
                   {METHOD(lemke), OWN(0.0), .most_rows = 500},
                   {METHOD(semismooth_newton), STEPS(50.0), OWN(1.0)},
                   {METHOD(lemke), OWN(0.0), .above = 500, .most_rows = nsds_dense_limit},
                   {METHOD(interior_point)}},
    /* A few steps find the contacts of a regular problem, and end where a system is singular. Then a
     * path, sweeps, or steps that stay regular follow. */
    .race_bodies = {{METHOD(lemke), OWN(0.0), .most_rows = 150},
                    {METHOD(semismooth_newton), STEPS(8.0), OWN(0.0)},
                    {METHOD(lemke), OWN(0.0), .above = 150, .most_rows = 300},
                    {METHOD(nsgs), STEPS(160.0), ACCELERATION(-1.0)},
                    {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(80.0), .from_best = true},
                    {METHOD(semismooth_newton), STEPS(42.0), OWN(1.0), .goes_on = true},
                    {METHOD(lemke), OWN(0.0), .above = 300, .most_rows = nsds_dense_limit},
                    {METHOD(interior_point)}},
    /* Sweeps and Newton's steps in turns, of which one costs as much as some dozen sweeps. Paths take
     * friction in the plane alone, and interior points are cheap there. */
    .race_friction = {{METHOD(nsgs), STEPS(250.0), ACCELERATION(-1.0), .most_rows = 300},
                      {METHOD(nsgs), STEPS(NSDS_AUTO_PATIENT), ACCELERATION(-1.0), .above = 300},
                      {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(15.0), .from_best = true},
                      {METHOD(lemke), OWN(0.0), .most_rows = 800},
                      {METHOD(interior_point), STEPS(40.0), .plane = true},
                      {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(60.0)},
                      {METHOD(nsgs), STEPS(800.0), ACCELERATION(-1.0), .from_best = true},
                      {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(30.0), .from_best = true},
                      {METHOD(nsgs), STEPS(5000.0), ACCELERATION(-1.0), .paced = true},
                      {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(250.0), .goes_on = true},
                      {METHOD(interior_point), STEPS(40.0)},
                      {METHOD(admm), STEPS(400.0)},
                      {METHOD(nonsmooth_newton), HYPERSTATIC(1.0), STEPS(20000.0),
                       .most_rows = 6000, .from_best = true},
                      {METHOD(interior_point), STEPS(60.0), .above = 6000},
                      {METHOD(nsgs), STEPS(NSDS_AUTO_ENDURING), ACCELERATION(0.0), .above = 6000,
                       .from_best = true}},
    /* Sweeps over other cones cost more, beside Newton's steps. So these get more steps in a row.
     * Proximal points solve most of the rest. */
    .race_cones = {{METHOD(projected_gradient), STEPS(80.0), .symmetric = true},
                   {METHOD(nsgs), STEPS(30.0), ACCELERATION(-1.0)},
                   {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(40.0), .from_best = true},
                   {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(60.0)},
                   {METHOD(nonsmooth_newton), HYPERSTATIC(0.0), STEPS(120.0), .goes_on = true},
                   {METHOD(interior_point), STEPS(30.0), .most_rows = 6000},
                   {METHOD(nonsmooth_newton), HYPERSTATIC(1.0), STEPS(500.0), .most_rows = 6000,
                    .from_best = true},
                   {METHOD(nsgs), STEPS(3000.0), ACCELERATION(-1.0), .paced = true},
                   {METHOD(admm), STEPS(400.0)},
                   {METHOD(nonsmooth_newton), HYPERSTATIC(1.0), STEPS(20000.0), .most_rows = 6000,
                    .from_best = true},
                   {METHOD(interior_point), STEPS(60.0), .above = 6000},
                   {METHOD(nsgs), STEPS(NSDS_AUTO_ENDURING), ACCELERATION(0.0), .above = 6000,
                    .from_best = true}},
#define NUMBER(name, value) .name = (value),
    NSDS_AUTO_NUMBERS(NUMBER)
#undef NUMBER
};

bool nsds_auto_is_programme(const nsds_solver *solver, const nsds_auto_rules *rules,
                            const nsds_problem *problem) {
  return problem->n > rules->small_rows && nsds_auto_of_bounds(solver) &&
         nsds_matrix_by_signs(&problem->M);
}

const nsds_auto_stage *nsds_auto_list(const nsds_solver *solver, const nsds_auto_rules *rules,
                                      const nsds_problem *problem) {
  if (nsds_auto_of_bounds(solver))
    return problem->n <= rules->small_rows ? rules->small : rules->large;
  bool faceted = !(solver->toolbox->sets & ~(unsigned)(nsds_bound_sets | NSDS_SET_POLYHEDRON));
  return faceted ? rules->faceted : rules->curved;
}

const nsds_auto_stage *nsds_auto_race(const nsds_solver *solver, const nsds_auto_rules *rules,
                                      const nsds_problem *problem) {
  const nsds_auto_stage *list = nsds_auto_list(solver, rules, problem);
  nsds_storage storage = problem->M.storage;
  if (list == rules->small) return rules->race_small;
  if (list == rules->curved)
    return solver->toolbox->sets & ~(unsigned)NSDS_SET_COULOMB ? rules->race_cones
                                                               : rules->race_friction;
  if (list != rules->large || storage == NSDS_CSC) return NULL;
  return storage == NSDS_DENSE ? rules->race_dense : rules->race_bodies;
}

const nsds_auto_stage *nsds_auto_list_from(const nsds_solver *solver, const nsds_auto_rules *rules,
                                           const nsds_problem *problem, const double *z) {
  const nsds_auto_stage *list = nsds_auto_list(solver, rules, problem);
  if (!solver->toolbox->by_scale && list != rules->large) return list;
  for (int i = 0; i < problem->n; ++i)
    if (z[i] != 0.0) return list;
  if (list == rules->large && nsds_auto_is_programme(solver, rules, problem))
    return rules->programme;
  const nsds_auto_stage *race =
      solver->toolbox->by_scale ? nsds_auto_race(solver, rules, problem) : NULL;
  return race ? race : list;
}

bool nsds_auto_is_for(const nsds_solver *solver, const nsds_auto_stage *stage,
                      const nsds_problem *problem) {
  const nsds_matrix *M = &problem->M;
  if (stage->single && !solver->toolbox->by_scale) return false;
  if (stage->with && !(stage->with & solver->toolbox->sets)) return false;
  if (stage->most_rows > 0 && problem->n > stage->most_rows) return false;
  if (stage->above > 0 && problem->n <= stage->above) return false;
  if (stage->symmetric && (M->storage != NSDS_DENSE || !M->symmetric)) return false;
  if (stage->plane && nsds_lcp_size(problem) < 0) return false;
  if (stage->fuller > 0 && nsds_matrix_entries_per_row(&problem->M) <= stage->fuller) return false;
  return !stage->grid ||
         (M->storage == NSDS_CSC && M->symmetric && M->p[M->n] > 3 * (long long)M->n);
}

static double auto_clamp(double x, double least, double most) { return fmin(fmax(x, least), most); }

double nsds_auto_iterations(const nsds_auto_rules *rules, const nsds_problem *problem,
                            double tolerance, double iterations) {
  double n = problem->n;
  if (iterations == NSDS_AUTO_PATIENT) {
    double asked = fmax(-log10(tolerance), 2.0); /* digits; tolerance may be 0 or 1 */
    double least = rules->least_patience * fmax(rules->digits / asked, 1.0);
    return auto_clamp(rules->factors * n / nsds_matrix_entries_per_row(&problem->M) * n / 6.0,
                      least, rules->most_patience);
  }
  if (iterations == NSDS_AUTO_ENDURING)
    return auto_clamp(rules->entries / (n * nsds_matrix_entries_per_row(&problem->M)),
                      rules->least_endurance, rules->most_endurance);
  return iterations;
}
