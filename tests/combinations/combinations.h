/*
 * Drawn combinations of systems, relations, laws, joints, springs, circuits and shapes: draw_masses.c and draw_bodies.c
 * make a model from a seed, combinations.c runs it by events and by time stepping and compares both.
 */
#ifndef NSDS_TEST_COMBINATIONS_H
#define NSDS_TEST_COMBINATIONS_H

#include <nsds/nsds.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOST_PARTS = 8, MOST_MASSES = 4, MOST_WORDS = 400 };

typedef struct drawing {
  nsds_model *model;
  uint64_t seed;
  bool events;            /* ideal elements of circuits, which time stepping cannot have */
  char words[MOST_WORDS]; /* the names of the parts */
  double end;             /* of the run */
} drawing;

double drawn(drawing *d, double low, double high);
/* A whole number, low .. high. */
int drawn_count(drawing *d, int low, int high);
bool drawn_flag(drawing *d, double chance);
void add_word(drawing *d, const char *word);

/* Masses on rails and pendulums, with first-order systems and circuits. */
void draw_masses(drawing *d);
/* Rigid bodies with shapes, joints and springs. */
void draw_bodies(drawing *d, bool plane);

/* Returns true if a problem of an event is shown to have no solution. */
bool has_no_solution(const nsds_problem *p);

#endif
