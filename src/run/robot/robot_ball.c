/*
 * Acts of ball joints, see robot_ball.h, in the formulas of a mixed relation. Let p, c and z be the quaternions of
 * the parent, of the child, and of the joint at its zero. The child has the attitude a = p' c in the
 * parent, with the rotation E, and the turn s = z' a from the zero. Along the axes of the child
 *
 *     turn            r = 2 atan2(|s_xyz|, s_w) s_xyz / |s_xyz|, by the shorter way
 *     rate            w = w_c - E^T w_p
 *     spring, damper  lambda = -k r - d w
 *     friction        -f <= lambda <= f, with the sign against w, for each axis
 *
 * The moments are lambda on the child and -E lambda on the parent.
 */
#include "run/robot/robot_ball.h"

#include "base/text/format.h"

#include <math.h>
#include <string.h>

typedef struct ball_writer {
  nsds_yaml_maker *maker;
  const nsds_robot_joint *joint;
  bool pair; /* the parent moves */
} ball_writer;

static void ball_name(ball_writer *b, nsds_yaml *where, const char *letter, int k,
                      const char *text) {
  char name[8];
  nsds_print(name, sizeof name, "%s%d", letter, k);
  nsds_yaml_put(b->maker, where, name, nsds_yaml_text(b->maker, text));
}

/* Appends a term of a sum with the sign of x; a factor of 1 is left out. */
static void ball_term(char text[200], double x, const char *factor) {
  size_t used = strlen(text);
  const char *sign = x < 0.0 ? " - " : used > 0 ? " + " : "";
  if (fabs(x) < 1e-15) return;
  if (fabs(x) == 1.0) nsds_print(text + used, 200 - used, "%s%s", sign, factor);
  else nsds_print(text + used, 200 - used, "%s%.17g*%s", sign, fabs(x), factor);
}

/* The product of quaternions: component i of x y is the sum of sign[i][k] x[k] y[place[i][k]]. */
static const int place[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
static const int sign[4][4] = {{1, -1, -1, -1}, {1, 1, 1, -1}, {1, -1, 1, 1}, {1, 1, -1, 1}};

/* a0 ... a3: the attitude of the child in the parent. */
static void ball_attitude(ball_writer *b, nsds_yaml *where) {
  for (int i = 0; i < 4; ++i) {
    char text[200] = "", factor[40];
    for (int k = 0; k < (b->pair ? 4 : 1); ++k) {
      if (b->pair) nsds_print(factor, sizeof factor, "q[%d]*q[%d]", 10 + k, 3 + place[i][k]);
      else nsds_print(factor, sizeof factor, "q[%d]", 3 + i);
      ball_term(text, sign[i][k] * (k > 0 ? -1 : 1), factor);
    }
    ball_name(b, where, "a", i, text);
  }
}

/* s0 ... s3 and the factor by which s1 ... s3 become the turn. The small number gives |s| a slope at 0. */
static void ball_turn(ball_writer *b, nsds_yaml *where) {
  for (int i = 0; i < 4; ++i) {
    char text[200] = "", factor[8];
    for (int k = 0; k < 4; ++k) {
      nsds_print(factor, sizeof factor, "a%d", place[i][k]);
      ball_term(text, sign[i][k] * (k > 0 ? -1.0 : 1.0) * b->joint->zero[k], factor);
    }
    ball_name(b, where, "s", i, text);
  }
  nsds_yaml_put(b->maker, where, "n", nsds_yaml_text(b->maker, "sqrt(s1^2 + s2^2 + s3^2 + 1e-30)"));
  nsds_yaml_put(b->maker, where, "turn",
                nsds_yaml_text(b->maker, "(s0 < 0 ? -2 : 2)*atan2(n, abs(s0))/n"));
}

/* E00 ... E22: the rotation from the child's axes to the parent's. */
static void ball_rotation(ball_writer *b, nsds_yaml *where) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      char text[80];
      int m = 1 + (i + 1) % 3, n = 1 + (i + 2) % 3, other = 6 - (i + 1) - (j + 1);
      const char *plus = (j + 1) % 3 == i ? "+" : "-";
      if (i == j) nsds_print(text, sizeof text, "1 - 2*(a%d^2 + a%d^2)", m, n);
      else nsds_print(text, sizeof text, "2*(a%d*a%d %s a0*a%d)", i + 1, j + 1, plus, other);
      ball_name(b, where, i == 0 ? "E0" : i == 1 ? "E1" : "E2", j, text);
    }
}

/* w0 ... w2: the rate of the child seen from the parent. */
static void ball_rate(ball_writer *b, nsds_yaml *where) {
  for (int i = 0; i < 3; ++i) {
    char text[200], factor[20];
    nsds_print(text, sizeof text, "v[%d]", 3 + i);
    for (int k = 0; b->pair && k < 3; ++k) {
      nsds_print(factor, sizeof factor, "E%d%d*v[%d]", k, i, 9 + k);
      ball_term(text, -1.0, factor);
    }
    ball_name(b, where, "w", i, text);
  }
}

static nsds_yaml *ball_output(ball_writer *b, bool friction) {
  nsds_yaml *list = nsds_yaml_make(b->maker, NSDS_YAML_LIST);
  const nsds_robot_joint *j = b->joint;
  for (int i = 0; i < 3; ++i) {
    char text[200] = "", factor[20];
    if (!friction) nsds_print(text, sizeof text, "lambda[%d]", i);
    nsds_print(factor, sizeof factor, "s%d*turn", i + 1);
    ball_term(text, friction ? 0.0 : j->stiffness, factor);
    nsds_print(factor, sizeof factor, "w%d", i);
    ball_term(text, friction ? 1.0 : j->damping, factor);
    nsds_yaml_append(b->maker, list, nsds_yaml_text(b->maker, text));
  }
  return list;
}

static nsds_yaml *ball_input(ball_writer *b) {
  nsds_yaml *list = nsds_yaml_make(b->maker, NSDS_YAML_LIST);
  for (int i = 0; i < (b->pair ? 12 : 6); ++i) {
    char text[200] = "", factor[20];
    if (i % 6 < 3) {
      nsds_yaml_append(b->maker, list, nsds_yaml_number(b->maker, 0.0));
      continue;
    }
    if (i < 6) nsds_print(text, sizeof text, "lambda[%d]", i - 3);
    for (int k = 0; i > 6 && k < 3; ++k) {
      nsds_print(factor, sizeof factor, "E%d%d*lambda[%d]", i - 9, k, k);
      ball_term(text, -1.0, factor);
    }
    nsds_yaml_append(b->maker, list, nsds_yaml_text(b->maker, text));
  }
  return list;
}

nsds_yaml *nsds_robot_ball_relation(nsds_yaml_maker *maker, const nsds_robot_joint *joint,
                                    bool friction) {
  ball_writer b = {maker, joint, joint->parent != nsds_robot_world};
  nsds_yaml *relation = nsds_yaml_make(maker, NSDS_YAML_MAP);
  nsds_yaml_put(maker, relation, "type", nsds_yaml_text(maker, "mixed"));
  nsds_yaml *where = nsds_yaml_put(maker, relation, "where", nsds_yaml_make(maker, NSDS_YAML_MAP));
  bool springs = !friction && joint->stiffness > 0.0;
  if (b.pair || springs) ball_attitude(&b, where);
  if (springs) ball_turn(&b, where);
  if (b.pair) ball_rotation(&b, where);
  ball_rate(&b, where);
  nsds_yaml_put(maker, relation, "output", ball_output(&b, friction));
  nsds_yaml_put(maker, relation, "input", ball_input(&b));
  return relation;
}
