/*
 * Prints the addresses of the library's functions that a time step with a contact enters, or an event: a
 * ball that falls on the ground. script/structure compiles the library with -finstrument-functions and
 * counts the files.
 */
#include "scenes.h"

#include <nsds/nsds.h>

#include <stdio.h>
#include <string.h>

enum { most = 1 << 20 };
static void *entered[most];
static int count;
static bool on;

void __cyg_profile_func_enter(void *function, void *from);
void __cyg_profile_func_exit(void *function, void *from);

void __cyg_profile_func_enter(void *function, void *from) {
  (void)from;
  if (on && count < most) entered[count++] = function;
}

void __cyg_profile_func_exit(void *function, void *from) { (void)function, (void)from; }

/* Each step is recorded in place of the one before, until one has an impact. */
int main(int argc, char **argv) {
  bool events = argc > 1 && strcmp(argv[1], "event") == 0, met = false;
  nsds_model *model = nsds_model_create(NULL);
  ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, 1.0, 0.9);
  nsds_simulation *simulation =
      events ? nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.0})
             : nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 2.0, .h = 0.005});
  for (int k = 0; simulation && !met && k < 200; ++k) {
    count = 0;
    on = true;
    nsds_status status = nsds_step(simulation);
    on = false;
    if (status) break;
    met = nsds_impulse(scene.floor)[0] > 0.0;
  }
  for (int i = 0; met && i < count; ++i) printf("%p\n", entered[i]);
  nsds_model_destroy(model);
  return met ? 0 : 1;
}
