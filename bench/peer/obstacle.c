/*
 * The membrane of bench/obstacle.c by PETSc: reduced-space Newton with an active set (SNESVINEWTONRSLS)
 * from zero.
 *
 *   obstacle EDGE [options of PETSc, as -pc_type icc or -pc_type hypre]
 *
 * prints the seconds of the processor, the steps and the largest |min(w, 4 (z - lower))| over the size of
 * the terms of its row.
 */
#include <math.h>
#include <petscsnes.h>
#include <time.h>

static PetscErrorCode product(SNES snes, Vec z, Vec w, void *M) {
  (void)snes;
  return MatMult((Mat)M, z, w);
}

/* M is constant. */
static PetscErrorCode keep(SNES snes, Vec z, Mat A, Mat P, void *M) {
  (void)snes, (void)z, (void)A, (void)P, (void)M;
  return 0;
}

/* As drawn_obstacle() of bench/drawn.h has it. */
static double lower_at(int k, int edge) {
  double slope_from = 0.9, h = 4.0 / (edge + 1), top = sqrt(1.0 - slope_from * slope_from);
  double r = hypot(h * (k % edge + 1) - 2.0, h * (double)(k / edge + 1) - 2.0);
  return r < slope_from ? sqrt(1.0 - r * r) : top - (r - slope_from) * slope_from / top;
}

static void fill(Mat M, int edge) {
  for (int j = 0; j < edge * edge; ++j) {
    const int step[5] = {-edge, -1, 0, 1, edge};
    for (int k = 0; k < 5; ++k) {
      int i = j + step[k], beside = k != 1 && k != 3;
      if (i < 0 || i >= edge * edge || (!beside && i / edge != j / edge)) continue;
      MatSetValue(M, j, i, k == 2 ? 4.0 : -1.0, INSERT_VALUES);
    }
  }
  MatAssemblyBegin(M, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(M, MAT_FINAL_ASSEMBLY);
  MatSetOption(M, MAT_SPD, PETSC_TRUE);
}

/* Where z >= 0, a row of M z has terms of eight times z at most. */
static double residual_of(Mat M, Vec z, Vec w, int edge) {
  double worst = 0.0;
  const PetscScalar *x, *y;
  MatMult(M, z, w);
  VecGetArrayRead(z, &x);
  VecGetArrayRead(w, &y);
  for (int k = 0; k < edge * edge; ++k) {
    double e = fabs(fmin(y[k], 4.0 * (x[k] - lower_at(k, edge))));
    worst = fmax(worst, e / (8.0 * fabs(x[k])));
  }
  return worst;
}

int main(int argc, char **argv) {
  int edge = argc > 1 ? atoi(argv[1]) : 129, n = edge * edge;
  Mat M;
  SNES snes;
  Vec z, w, lower, upper;
  PetscInt steps;
  SNESConvergedReason why;
  PetscInitialize(&argc, &argv, NULL, NULL);
  MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 5, NULL, &M);
  fill(M, edge);
  MatCreateVecs(M, &z, &w);
  VecDuplicate(z, &lower);
  VecDuplicate(z, &upper);
  for (int k = 0; k < n; ++k) VecSetValue(lower, k, lower_at(k, edge), INSERT_VALUES);
  VecSet(upper, PETSC_INFINITY);
  VecSet(z, 0.0);
  SNESCreate(PETSC_COMM_SELF, &snes);
  SNESSetType(snes, SNESVINEWTONRSLS);
  SNESSetFunction(snes, w, product, M);
  SNESSetJacobian(snes, M, M, keep, NULL);
  SNESVISetVariableBounds(snes, lower, upper);
  SNESSetTolerances(snes, 1e-50, 1e-8, 0.0, 1000, 100000);
  SNESSetFromOptions(snes);
  clock_t begin = clock();
  SNESSolve(snes, NULL, z);
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  SNESGetIterationNumber(snes, &steps);
  SNESGetConvergedReason(snes, &why);
  printf("seconds %.4f\nsteps %d\nresidual %.1e\n", seconds, (int)steps,
         residual_of(M, z, w, edge));
  PetscFinalize();
  return why <= 0;
}
