/*
 * Bits of motions. Every scene runs a fixed number of steps; one line of output says its name, its
 * steps and two FNV-1a hashes (64 bit): of the motion, and of the values reported beside it.
 *
 *   kernel_golden                        print the line of every scene; to compare two builds by `diff`
 *   kernel_golden NAME...                of these scenes alone
 *   kernel_golden --check FILE [NAME...]
 *                                        compare with a stored table; names the scenes that differ
 *   kernel_golden --renew FILE NAME...   write the values of these scenes into the table, and new scenes;
 *                                        refused where the motion is not the stored one
 *   kernel_golden --renew FILE --motion REASON [NAME...]
 *                                        the motion too, of these or all; the table keeps the reason
 *   kernel_golden --resumed FILE         halves of all scenes after a snapshot in that file: of the run
 *                                        that has written it, and of another that has read it
 *
 *   kernel_golden --beside [NAME...]     whether scenes move as they do alone beside a system that nothing
 *                                        moves
 *
 * Scenes whose last bits depend on the machine are compared where libm and BLAS are those of the table.
 */
#include "golden.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool named(const golden *scene, int count, char **names) {
  for (int k = 0; k < count; ++k)
    if (strcmp(names[k], scene->name) == 0) return true;
  return count == 0;
}

/* The lines of all scenes, or of those that are named. */
static int print_scenes(int count, char **names) {
  int failed = 0, printed = 0;
  const golden *scene;
  for (int k = 0; (scene = golden_at(k)) != NULL; ++k) {
    golden_bits bits;
    if (!named(scene, count, names)) continue;
    ++printed;
    if (!golden_run(scene, WHOLE, NULL, &bits)) ++failed;
    else
      printf("%-26s %5ld %016" PRIx64 " %016" PRIx64 "\n", scene->name, scene->steps, bits.motion,
             bits.values);
  }
  if (printed == 0) fprintf(stderr, "there is no such scene\n");
  return failed || printed == 0;
}

static bool same(golden_bits a, golden_bits b) {
  return a.motion == b.motion && a.values == b.values;
}

/* Whether a run that goes on from a snapshot has the bits of the one that has written it. */
static int compare_resumed(const char *path) {
  const golden *scene;
  int wrong = 0, right = 0;
  for (int k = 0; (scene = golden_at(k)) != NULL; ++k) {
    golden_bits one, other, undisturbed;
    bool fine = golden_run(scene, SECOND_HALF, path, &undisturbed) &&
                golden_run(scene, AFTER_SAVING, path, &one) &&
                golden_run(scene, AFTER_LOADING, path, &other);
    if (fine && !same(one, undisturbed)) printf("%s: other bits after saving\n", scene->name);
    if (fine && !same(other, undisturbed))
      printf("%s: other %s after loading\n", scene->name,
             other.motion == undisturbed.motion ? "values" : "motion");
    if (fine && same(one, undisturbed) && same(other, undisturbed)) ++right;
    else ++wrong;
  }
  remove(path);
  printf("%d scenes go on with the same bits, %d do not\n", right, wrong);
  return wrong || right == 0;
}

/* The largest difference of two states. */
static double difference(const double *a, const double *b, int n) {
  double off = 0.0;
  for (int i = 0; i < n; ++i) off = fmax(off, fabs(a[i] - b[i]));
  return off;
}

/* Whether a scene moves as it does alone when a system stands beside it: to the bit beside a body or a
 * circuit, one of which shares no unit and no norm with it. Integrators have norms of all systems, so
 * event-driven motion is the same to their tolerance. */
static bool moves_as_alone(const golden *scene) {
  enum { most = 4000 };
  static double alone[most], end[most];
  const double tolerance = 1e-3;
  golden_bits bits, other;
  int n = golden_run_beside(scene, BESIDE_NOTHING, &bits, alone, most), same_bits = 0, near = 0;
  bool events = golden_is_event_driven;
  for (golden_beside b = BESIDE_A_CIRCUIT; b <= BESIDE_A_BODY; ++b) {
    int m = golden_run_beside(scene, b, &other, end, most);
    if (m < 0) continue; /* the scheme does not take it, as the line says */
    same_bits += bits.motion == other.motion;
    double off = m == n ? difference(alone, end, n) : INFINITY;
    near += off <= tolerance;
    if (off > tolerance)
      printf("%s: off by %g beside %s\n", scene->name, off,
             b == BESIDE_A_BODY ? "a body" : "a circuit");
  }
  if (n >= 0 && !events && !same_bits) printf("%s: other bits beside systems\n", scene->name);
  return n >= 0 && (events ? near == 2 : near > 0 && same_bits);
}

static int compare_beside(int count, char **names) {
  const golden *scene;
  int right = 0, wrong = 0;
  for (int k = 0; (scene = golden_at(k)) != NULL; ++k)
    if (named(scene, count, names)) *(moves_as_alone(scene) ? &right : &wrong) += 1;
  printf("%d scenes move as they do alone, %d do not\n", right, wrong);
  return wrong || right == 0;
}

int main(int argc, char **argv) {
  if (argc == 1 || argv[1][0] != '-') return print_scenes(argc - 1, argv + 1);
  if (argc >= 2 && strcmp(argv[1], "--beside") == 0) return compare_beside(argc - 2, argv + 2);
  if (argc == 3 && strcmp(argv[1], "--resumed") == 0) return compare_resumed(argv[2]);
  if (argc >= 3 && strcmp(argv[1], "--check") == 0)
    return golden_check(argv[2], argc - 3, argv + 3);
  if (argc >= 4 && strcmp(argv[1], "--renew") == 0) {
    bool motion = strcmp(argv[3], "--motion") == 0;
    if (!motion) return golden_renew(argv[2], NULL, argc - 3, argv + 3);
    if (argc > 4 && argv[4][0]) return golden_renew(argv[2], argv[4], argc - 5, argv + 5);
  }
  fprintf(stderr,
          "usage: %s [NAME... | --check FILE [NAME...] | --renew FILE [--motion REASON] NAME... | "
          "--resumed FILE | --beside [NAME...]]\n",
          argv[0]);
  return 2;
}
