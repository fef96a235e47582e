/* Simulations of model files: drivers, samplers, events, outputs and measures. See schema.h. */
#include "run/model/schema_simulation.h"

#include "base/text/field_rows.h"
#include "run/model/schema_systems.h"

/* ---- simulation ------------------------------------------------------------------------------ */

static const nsds_type activation = {
    .type = NULL,
    .help = "The test by which a step takes contacts for closed.",
    .field = (const nsds_field[]){
        NUMBER("gamma_prediction", "1", ">= 0", "0.5", "How far a step looks ahead."),
        NUMBER("tolerance", "1", "[0, 1]", "1e-12", "Tolerance of a gap, relative to its terms."),
        END}};
const nsds_family nsds_schema_activations = {"activation", "A test.", ONE(activation)};
static const nsds_type newton = {
    .type = NULL,
    .help = "Newton's method in a step.",
    .field = (const nsds_field[]){
        NUMBER("residual", "N s", "> 0", "auto", "Limit of the residual; auto: relative, 1e-10."),
        NUMBER("increment", "1", "> 0", "auto",
               "Limit of the increment as a fraction; auto: 1e-8."),
        INTEGER("max_iterations", ">= 1", "auto", "Most iterations; auto: 50."),
        TRUTH("accept", "false", "Accepts a step that has not converged, with a warning."), END}};
const nsds_family nsds_schema_newtons = {"newton", "Options.", ONE(newton)};
static const nsds_type projection = {
    .type = NULL,
    .help = "Leads positions back to their constraints.",
    .field = (const nsds_field[]){
        CHOICE("kind", "none direct combined", "none", "When positions are led back."),
        CHOICE("metric", "mass coordinates", "mass", "What the displacement is measured in."),
        NUMBER("tolerance", "m, rad", "> 0", "auto", "Tolerance of y; auto: 1e-10."),
        INTEGER("max_iterations", ">= 1", "auto", "Most iterations; auto: 20."),
        NUMBER("activation", "m, rad", "> 0", "auto",
               "Gaps up to this count as closed; auto: 1000 tolerances."),
        TRUTH("settles", "false",
              "With direct: contacts with restitution come to rest; some steps are made twice."),
        END}};
const nsds_family nsds_schema_projections = {"projection", "Options.", ONE(projection)};

#define SOLVER                                                                                     \
  TEXT("solver", "auto", "Name of a solver; nsds solvers lists them."),                            \
      TEXT("solver_plugin", "none",                                                                \
           "Path of a plugin that has the solver, relative to the model file."),                   \
      OTHER("solver_options", NSDS_FIELD_VALUES, "zero",                                           \
            "Options of the solver: names with numbers."),                                         \
      NUMBER("tolerance", "1", "> 0", "1e-10", "Certified residual of a solved problem.")

static const nsds_type time_stepping = {
    .type = "time_stepping",
    .help = "Equal steps, each of which may have any number of impacts and switches.",
    .field = (const nsds_field[]){
        NUMBER("t0", "s", NULL, "0", "Start."), NUMBER("t1", "s", NULL, NULL, "End."),
        NUMBER("h", "s", "> 0", NULL, "Step."),
        OBJECT("first_order", NSDS_FIELD_OBJECT, "scheme", "{type: euler_moreau, theta: 0.5}",
               "Scheme of first-order systems."),
        OBJECT("second_order", NSDS_FIELD_OBJECT, "scheme",
               "{type: moreau_jean, theta: 0.5, gamma: 1}", "Scheme of second-order systems."),
        OBJECT("activation", NSDS_FIELD_OBJECT, "activation", "auto",
               "Test of contacts; auto: gamma_prediction 0.5, tolerance 1e-12."),
        TRUTH("contacts_at_start", "false",
              "Contacts of sets are taken where bodies are at the start of a step."),
        TRUTH("update_prediction", "false",
              "Repeats the activation test in every iteration of Newton's method."),
        OBJECT("newton", NSDS_FIELD_OBJECT, "newton", "auto", "Newton's method in a step."),
        INTEGER("max_halvings", "[0, 30]", "auto",
                "How often a failed step is halved; auto: 10 where Newton's method fails."),
        INTEGER(
            "overlap_sweeps", "[0, 1000]", "auto",
            "Sweeps that lead bodies out of overlap; 0: none; auto: as many as needed, or 8 for "
            "more than 256 contacts."),
        OBJECT("projection", NSDS_FIELD_OBJECT, "projection", "auto",
               "Projection on constraints; auto: none."),
        CHOICE("coordinates", "maximal joint", "maximal",
               "In which bodies with joints move; joint: in those of their joints."),
        SOLVER,
        TRUTH("accept_unsolved", "false", "Takes answers of the solver that are not certified."),
        END}};
static const nsds_type event_driven = {
    .type = "event_driven",
    .help = "Smooth motion between events that are located exactly.",
    .field = (const nsds_field[]){
        NUMBER("t0", "s", NULL, "0", "Start."), NUMBER("t1", "s", NULL, NULL, "End."),
        NUMBER("output_period", "s", "> 0", "auto",
               "Distance of rows of output between events; auto: none."),
        CHOICE("integrator", "auto dormand_prince esdirk arkode cvode", "auto",
               "Integrator of the smooth motion."),
        NUMBER("relative_tolerance", "1", "> 0", "1e-9",
               "Limit of the error of a step of integration."),
        NUMBER("absolute_tolerance", NULL, "> 0", "1e-11", "The same, in units of the state."),
        NUMBER("largest_step", "s", "> 0", "auto", "Largest step of integration; auto: no limit."),
        NUMBER("root_tolerance", "1", "> 0", "auto",
               "Tolerance of the time of an event; auto: rounding."),
        INTEGER("root_panels", ">= 1", "1", "Parts in which a step is searched for events."),
        NUMBER("accumulation", "1", "[0, 1]", "1e-8",
               "Ratio of flights at which a series of impacts is taken to its limit; 0: never."),
        INTEGER("max_events", ">= 1", "100000", "Most events within output_period."),
        NUMBER("window", "s", "> 0", "auto",
               "Window of time stepping where events crowd; auto: none."),
        INTEGER("window_steps", ">= 1", "100", "Steps of a window."),
        INTEGER("max_steps", ">= 1", "1000000", "Most steps of integration between events."),
        SOLVER, END}};
const nsds_family nsds_schema_simulations = {
    "simulation", "How the model is advanced in time.",
    (const nsds_type *const[]){&time_stepping, &event_driven, NULL}};

/* ---- samplers, events, outputs --------------------------------------------------------------- */

#define SAMPLING                                                                                   \
  NUMBER("period", "s", "> 0", NULL, "Sampling period."),                                          \
      NUMBER("phase", "s", ">= 0", "0", "First sample, after t0.")
static const nsds_type set_sampler = {
    .type = "set",
    .help = "Sets parameters of systems and relations at each sample.",
    .field =
        (const nsds_field[]){SAMPLING,
                             OTHER("set", NSDS_FIELD_SETTINGS, NULL,
                                   "Parameters, as system.name, with expressions in quantities."),
                             END}};
static const nsds_type pid_sampler = {
    .type = "pid",
    .help =
        "A controller: kp e + ki times the integral of e + kd de/dt of e = setpoint - measured.",
    .field = (const nsds_field[]){
        SAMPLING, EXPRESSION("setpoint", NULL, NULL, "Wanted value."),
        EXPRESSION("measured", NULL, NULL, "Value that is controlled."),
        NUMBER("kp", NULL, NULL, "0", "Proportional gain."),
        NUMBER("ki", NULL, NULL, "0", "Integral gain, per second."),
        NUMBER("kd", NULL, NULL, "0", "Derivative gain, seconds."),
        NUMBER("lower", NULL, NULL, "-inf", "Least output; the integral stops there."),
        NUMBER("upper", NULL, NULL, "inf", "Largest output; the integral stops there."),
        TEXT("output", NULL, "Parameter that gets the output, as system.name."), END}};
static const nsds_type pwm_sampler = {
    .type = "pwm",
    .help = "Pulse width modulation: a parameter is high for the fraction `duty` of each period, "
            "then low.",
    .field = (const nsds_field[]){
        SAMPLING, EXPRESSION("duty", "1", NULL, "Fraction of the period, cut off to [0, 1]."),
        NUMBER("high", NULL, NULL, "1", "Value while the pulse lasts."),
        NUMBER("low", NULL, NULL, "0", "Value afterwards."),
        TEXT("output", NULL, "Parameter that gets the value, as system.name."), END}};
const nsds_family nsds_schema_samplers = {
    "sampler", "A sampled controller.",
    (const nsds_type *const[]){&set_sampler, &pid_sampler, &pwm_sampler, NULL}};
static const nsds_type event = {
    .type = NULL,
    .help = "A change of parameters at a given time.",
    .field =
        (const nsds_field[]){NUMBER("time", "s", NULL, NULL, "When."),
                             OTHER("set", NSDS_FIELD_SETTINGS, "zero",
                                   "Parameters, as system.name, with expressions in quantities."),
                             END}};
const nsds_family nsds_schema_events = {"event", "A change.", ONE(event)};
static const nsds_type outputs = {
    .type = NULL,
    .help = "The table that a run writes.",
    .field = (const nsds_field[]){
        OTHER("columns", NSDS_FIELD_COLUMNS, "auto",
              "Columns of the table behind t; auto: all states."),
        INTEGER("every", ">= 1", "1", "Steps, or events, from row to row."), END}};
const nsds_family nsds_schema_outputs = {"outputs", "The table that a run writes.", ONE(outputs)};
static const nsds_type measure = {
    .type = NULL,
    .help = "One number of a run.",
    .field = (const nsds_field[]){
        CHOICE("kind", "mean rms max min peak_to_peak integral period final", NULL,
               "What is measured."),
        EXPRESSION("of", NULL, NULL, "Quantity, or an expression in quantities."),
        NUMBER("from", "s", NULL, "auto", "Start of the measurement; auto: that of the run."),
        NUMBER("to", "s", NULL, "auto", "End of the measurement; auto: that of the run."),
        NUMBER("level", NULL, NULL, "0", "For a period: the value whose rising passages count."),
        END}};
const nsds_family nsds_schema_measures = {"measure", "One number of a run.", ONE(measure)};
