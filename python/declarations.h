/* Written by python/generate.py from the headers in include/nsds. */
#define NSDS_VERSION_NUMBER 300
typedef enum nsds_status {
  NSDS_ERROR_LIMIT = -17,
  NSDS_ERROR_INTEGRATION = -16,
  NSDS_ERROR_ABORTED = -15,
  NSDS_ERROR_INTERNAL = -14,
  NSDS_ERROR_IO = -13,
  NSDS_ERROR_FORMAT = -12,
  NSDS_ERROR_UNSUPPORTED = -11,
  NSDS_ERROR_STATE = -10,
  NSDS_ERROR_NEWTON = -9,
  NSDS_ERROR_SOLVER = -8,
  NSDS_ERROR_PLUGIN = -7,
  NSDS_ERROR_CALLBACK = -6,
  NSDS_ERROR_SINGULAR = -5,
  NSDS_ERROR_VALUE = -4,
  NSDS_ERROR_SIZE = -3,
  NSDS_ERROR_ARGUMENT = -2,
  NSDS_ERROR_MEMORY = -1,
  NSDS_OK = 0,
  NSDS_END = 1,
  NSDS_STOPPED = 2,
  NSDS_AGAIN = 3,
} nsds_status;
const char *nsds_status_text(nsds_status status);
const char *nsds_version(void);
enum {
  NSDS_RESERVED = 4
};
typedef enum nsds_log_level {
  NSDS_LOG_ERROR = 1,
  NSDS_LOG_WARNING = 2,
  NSDS_LOG_INFO = 3
} nsds_log_level;
typedef void (*nsds_log_fn)(nsds_log_level level, const char *message, void *user);
typedef struct nsds_context_def {
  void *(*alloc)(size_t size, void *user);
  void (*release)(void *memory, void *user);
  void *alloc_user;
  nsds_log_fn log;
  void *log_user;
  nsds_log_level log_level;
  uint64_t reserved[NSDS_RESERVED];
} nsds_context_def;
typedef struct nsds_context nsds_context;
nsds_context *nsds_context_create(const nsds_context_def *def);
void nsds_context_destroy(nsds_context *context);
nsds_status nsds_context_swap_log(nsds_context *context, nsds_log_fn *log, void **user);
nsds_status nsds_context_set_threads(nsds_context *context, int threads);
int nsds_context_threads(const nsds_context *context);
char *nsds_plain_text(char *text);
typedef bool (*nsds_stop_fn)(void *user);
nsds_status nsds_context_swap_stop(nsds_context *context, nsds_stop_fn *stop, void **user);
typedef struct nsds_memory_limit {
  size_t bytes;
  bool reached;
} nsds_memory_limit;
nsds_status nsds_context_swap_limit(nsds_context *context, nsds_memory_limit *limit);
size_t nsds_context_bytes(const nsds_context *context);
void *nsds_alloc(nsds_context *context, const char *what, size_t count, size_t size);
void nsds_free(void *memory);
bool nsds_context_stops(const nsds_context *context);
nsds_status nsds_error(const nsds_context *context);
const char *nsds_error_message(const nsds_context *context);
const char *nsds_last_message(const nsds_context *context);
void nsds_error_clear(nsds_context *context);
typedef struct nsds_csc {
  int nrow;
  int ncol;
  const int *p;
  const int *i;
  const double *x;
} nsds_csc;
typedef struct nsds_triplet {
  int row;
  int col;
  double value;
} nsds_triplet;
nsds_status nsds_triplets_to_csc(int nrow, int ncol, int count, const nsds_triplet *triplet, int *p, int *i, double *x, nsds_csc *out);
const double *nsds_by_rows(int nrow, int ncol, const double *rows, double *columns);
typedef enum nsds_scheme_kind {
  NSDS_SCHEME_UNSAID = 0,
  NSDS_EULER_MOREAU = 1,
  NSDS_THETA_GAMMA = 2,
  NSDS_FULL_THETA_GAMMA = 3,
  NSDS_ZERO_ORDER_HOLD = 4,
  NSDS_MOREAU_JEAN = 5,
  NSDS_SCHATZMAN_PAOLI = 6,
  NSDS_D1_MINUS = 7,
  NSDS_RATTLE = 8
} nsds_scheme_kind;
typedef enum nsds_scheme_option {
  NSDS_OPTION_GAMMA_MASS = 1,
  NSDS_OPTION_STEP_RATIO = 2,
  NSDS_OPTION_INPUT_AT_THETA = 4,
  NSDS_OPTION_F_AT_THETA = 8,
  NSDS_OPTION_INITIAL_LAMBDA = 16,
  NSDS_OPTION_PREDICT_ONCE = 32
} nsds_scheme_option;
typedef struct nsds_discretisation {
  nsds_scheme_kind kind;
  unsigned options;
  double theta;
  double gamma;
  double gamma_mass;
  int step_ratio;
  uint64_t reserved[NSDS_RESERVED];
} nsds_discretisation;
nsds_discretisation nsds_moreau_jean(double theta, double gamma);
nsds_discretisation nsds_schatzman_paoli(double theta);
nsds_discretisation nsds_d1_minus(void);
nsds_discretisation nsds_rattle(void);
nsds_discretisation nsds_euler_moreau(double theta);
nsds_discretisation nsds_theta_gamma(double theta, double gamma);
nsds_discretisation nsds_full_theta_gamma(double theta, double gamma);
nsds_discretisation nsds_zero_order_hold(void);
nsds_discretisation nsds_with_gamma_mass(nsds_discretisation scheme, double gamma_mass);
nsds_discretisation nsds_with_predict_once(nsds_discretisation scheme);
nsds_discretisation nsds_with_input_at_theta(nsds_discretisation scheme);
nsds_discretisation nsds_with_f_at_theta(nsds_discretisation scheme);
nsds_discretisation nsds_with_initial_lambda(nsds_discretisation scheme);
nsds_discretisation nsds_with_step_ratio(nsds_discretisation scheme, int step_ratio);
typedef struct nsds_model nsds_model;
typedef struct nsds_ds nsds_ds;
typedef struct nsds_relation nsds_relation;
typedef struct nsds_law nsds_law;
typedef struct nsds_interaction nsds_interaction;
typedef struct nsds_arguments {
  double t;
  const double *q;
  const double *v;
  const double *z;
  const double *lambda;
  int nq;
  int nv;
  int nz;
  int nlambda;
  const double *x;
  int nx;
  const double *xdot;
  int nxdot;
} nsds_arguments;
typedef int (*nsds_operator)(const nsds_arguments *in, double *out, void *user);
typedef struct nsds_operator_data {
  nsds_operator function;
  void *user;
  int nz;
  const double *z;
} nsds_operator_data;
typedef struct nsds_prescribed {
  int n;
  const int *index;
  nsds_operator fn;
} nsds_prescribed;
int nsds_zero(const nsds_arguments *in, double *out, void *user);
int nsds_differences(const nsds_arguments *in, double *out, void *user);
nsds_model *nsds_model_create(nsds_context *context);
void nsds_model_destroy(nsds_model *model);
nsds_context *nsds_model_context(const nsds_model *model);
nsds_interaction *nsds_connect(nsds_model *model, nsds_relation *relation, nsds_law *law, int nds, nsds_ds *const *ds);
nsds_status nsds_disconnect(nsds_interaction *interaction);
nsds_status nsds_relation_destroy(nsds_relation *relation);
nsds_status nsds_ds_destroy(nsds_ds *ds);
uint64_t nsds_state_moves(const nsds_model *model);
int nsds_ds_count(const nsds_model *model);
nsds_ds *nsds_ds_at(const nsds_model *model, int k);
int nsds_ds_index(const nsds_ds *ds);
int nsds_interaction_count(const nsds_model *model);
nsds_interaction *nsds_interaction_at(const nsds_model *model, int k);
int nsds_interaction_ds_count(const nsds_interaction *interaction);
nsds_relation *nsds_interaction_relation(const nsds_interaction *interaction);
nsds_ds *nsds_interaction_ds(const nsds_interaction *interaction, int k);
int nsds_linked_interactions(const nsds_interaction *interaction, int capacity, nsds_interaction **linked);
const char *nsds_model_name(const nsds_model *model);
nsds_status nsds_model_set_name(nsds_model *model, const char *name);
void *nsds_model_user(const nsds_model *model);
nsds_status nsds_model_set_user(nsds_model *model, void *user);
const char *nsds_ds_name(const nsds_ds *ds);
nsds_status nsds_ds_set_name(nsds_ds *ds, const char *name);
void *nsds_ds_user(const nsds_ds *ds);
nsds_status nsds_ds_set_user(nsds_ds *ds, void *user);
const char *nsds_relation_name(const nsds_relation *relation);
nsds_status nsds_relation_set_name(nsds_relation *relation, const char *name);
void *nsds_relation_user(const nsds_relation *relation);
nsds_status nsds_relation_set_user(nsds_relation *relation, void *user);
const char *nsds_law_name(const nsds_law *law);
nsds_status nsds_law_set_name(nsds_law *law, const char *name);
void *nsds_law_user(const nsds_law *law);
nsds_status nsds_law_set_user(nsds_law *law, void *user);
const char *nsds_interaction_name(const nsds_interaction *interaction);
nsds_status nsds_interaction_set_name(nsds_interaction *interaction, const char *name);
void *nsds_interaction_user(const nsds_interaction *interaction);
nsds_status nsds_interaction_set_user(nsds_interaction *interaction, void *user);
const double *nsds_q(const nsds_ds *ds);
const double *nsds_v(const nsds_ds *ds);
int nsds_nq(const nsds_ds *ds);
int nsds_nv(const nsds_ds *ds);
const double *nsds_p(const nsds_ds *ds);
const double *nsds_prescribed_force(const nsds_ds *ds);
nsds_status nsds_set_state(nsds_ds *ds, const double *q, const double *v);
nsds_status nsds_ds_discretise(nsds_ds *ds, nsds_discretisation scheme);
const double *nsds_ds_z(const nsds_ds *ds);
nsds_status nsds_ds_set_z(nsds_ds *ds, int nz, const double *z);
nsds_status nsds_ds_set_operator_z(nsds_ds *ds, nsds_operator function, int nz, const double *z);
nsds_status nsds_relation_set_operator_z(nsds_relation *relation, nsds_operator function, int nz, const double *z);
const double *nsds_interaction_z(const nsds_interaction *interaction);
nsds_status nsds_interaction_set_z(nsds_interaction *interaction, int nz, const double *z);
const double *nsds_relation_z(const nsds_relation *relation);
nsds_status nsds_relation_set_z(nsds_relation *relation, int nz, const double *z);
double nsds_kinetic_energy(nsds_ds *ds);
nsds_status nsds_ds_rates(nsds_ds *ds, double t, double *f, double *jacobian);
int nsds_interaction_size(const nsds_interaction *interaction);
const double *nsds_y(const nsds_interaction *interaction);
const double *nsds_ydot(const nsds_interaction *interaction);
const double *nsds_lambda(const nsds_interaction *interaction);
const double *nsds_impulse(const nsds_interaction *interaction);
nsds_status nsds_set_lambda(nsds_interaction *interaction, const double *lambda);
bool nsds_is_active(const nsds_interaction *interaction);
bool nsds_is_on(const nsds_interaction *interaction);
nsds_status nsds_set_on(nsds_interaction *interaction, bool on);
typedef struct nsds_jacobian_report {
  int checked;
  int wrong;
  char object[64];
  char jacobian[32];
  int row;
  int col;
  double given;
  double expected;
  int not_given;
  char names[256];
} nsds_jacobian_report;
nsds_status nsds_check_jacobians(nsds_model *model, double t, double tolerance, nsds_jacobian_report *report);
typedef enum nsds_storage {
  NSDS_DENSE = 1,
  NSDS_CSC = 2,
  NSDS_FACTORED = 4,
  NSDS_BLOCK_ROWS = 8
} nsds_storage;
typedef struct nsds_edge {
  int column;
  int size;
  const double *H;
  const double *Y;
} nsds_edge;
typedef struct nsds_factored {
  int nrow_block;
  int ncolumn;
  const int *row;
  const int *first_edge;
  const nsds_edge *edge;
  const double *const *D;
  const double *gain;
} nsds_factored;
typedef struct nsds_block_rows {
  int nrow_block;
  const int *row;
  const int *first;
  const int *column;
  const int *start;
  const double *x;
} nsds_block_rows;
typedef struct nsds_matrix {
  nsds_storage storage;
  int n;
  const double *x;
  const int *p;
  const int *i;
  const nsds_factored *factored;
  const nsds_block_rows *blocks;
  bool symmetric;
  uint64_t stamp;
  uint64_t pattern;
} nsds_matrix;
typedef enum nsds_set_kind {
  NSDS_SET_EQUALITY = 1,
  NSDS_SET_NONNEGATIVE = 2,
  NSDS_SET_BOX = 4,
  NSDS_SET_DISC = 8,
  NSDS_SET_CONE = 16,
  NSDS_SET_COULOMB = 32,
  NSDS_SET_ROLLING = 64,
  NSDS_SET_POLYHEDRON = 128
} nsds_set_kind;
enum {
  NSDS_COUPLED_ROWS = 32
};
typedef struct nsds_block {
  nsds_set_kind set;
  int size;
  double mu;
  double mu_rolling;
  double radius;
  const double *lower;
  const double *upper;
  int nfacet;
  const double *H;
  const double *K;
} nsds_block;
typedef struct nsds_halo {
  void *self;
  long long rows;
  unsigned sets;
  const double *(*fill)(void *self, const double *x);
  void (*sum)(void *self, double *v, double *low);
  void (*raise)(void *self, double *v);
  void (*most)(void *self, int count, double *x);
  void (*total)(void *self, int count, double *x);
} nsds_halo;
typedef struct nsds_problem {
  int n;
  int nblock;
  const nsds_block *block;
  nsds_matrix M;
  const double *q;
  const double *q_error;
  const double *scale;
  const nsds_halo *halo;
} nsds_problem;
nsds_status nsds_problem_check(nsds_context *context, const nsds_problem *problem);
size_t nsds_problem_work(const nsds_problem *problem);
void nsds_problem_multiply(const nsds_problem *problem, const double *z, double *w, double *work);
void nsds_problem_to_dense(const nsds_problem *problem, double *dense);
size_t nsds_problem_csc_work(const nsds_problem *problem);
void nsds_problem_to_csc(const nsds_problem *problem, int *p, int *i, double *x, int *work);
typedef struct nsds_certificate {
  double residual;
  int worst_block;
  int worst_row;
  double error;
  double scale;
  bool diverged;
  double standard;
  double violation;
  int violation_block;
  int violation_row;
  double reaction;
} nsds_certificate;
void nsds_certify(const nsds_problem *problem, const double *z, double *work, nsds_certificate *certificate);
double nsds_violation_limit(const nsds_problem *problem, double tolerance);
bool nsds_certify_no_solution(const nsds_problem *problem, const double *y, double *work);
double nsds_certify_reach(const nsds_problem *problem, const double *y, double *work);
typedef enum nsds_outcome {
  NSDS_SOLVED = 0,
  NSDS_NOT_CONVERGED = 1,
  NSDS_NO_SOLUTION = 2,
  NSDS_RAY = 3,
  NSDS_REFUSED = 4,
  NSDS_INTERRUPTED = 5
} nsds_outcome;
const char *nsds_outcome_text(nsds_outcome outcome);
typedef struct nsds_solver_info {
  const char *solver;
  nsds_outcome outcome;
  int iterations;
  double residual;
  int worst_block;
  int worst_row;
  double worst_error;
  double worst_scale;
  int factorizations;
  int tried;
  char path[192];
  double violation;
  double violation_rounded;
  double reaction;
  int violation_block;
  bool within_q_error;
  double proof_reach;
} nsds_solver_info;
typedef int (*nsds_progress_fn)(int iteration, double residual, void *user);
typedef struct nsds_option {
  const char *name;
  const char *unit;
  const char *help;
  double default_value;
  double min;
  double max;
} nsds_option;
typedef struct nsds_solver_row {
  const char *name;
  const char *summary;
  const char *reference;
  unsigned sets;
  unsigned storages;
  const nsds_option *option;
  bool global;
  bool inner;
} nsds_solver_row;
const nsds_solver_row *nsds_solver_table(int k);
typedef struct nsds_solver nsds_solver;
nsds_solver *nsds_solver_create(nsds_context *context, const char *name);
void nsds_solver_destroy(nsds_solver *solver);
const nsds_solver_row *nsds_solver_get_row(const nsds_solver *solver);
nsds_solver *nsds_solver_inner(nsds_solver *solver);
nsds_status nsds_solver_set(nsds_solver *solver, const char *option, double value);
double nsds_solver_get(const nsds_solver *solver, const char *option);
void nsds_solver_set_progress(nsds_solver *solver, nsds_progress_fn progress, void *user);
nsds_status nsds_solver_reserve(nsds_solver *solver, const nsds_problem *problem);
nsds_status nsds_solve(nsds_solver *solver, const nsds_problem *problem, double *z, double *w, nsds_solver_info *info);
const double *nsds_solver_proof(const nsds_solver *solver);
const double *nsds_solver_low(const nsds_solver *solver);
nsds_status nsds_judge_answer(nsds_solver *solver, const nsds_problem *problem, double *z, double *w, nsds_solver_info *info);
nsds_status nsds_solver_judge_by_terms(nsds_solver *solver);
typedef int (*nsds_solution_fn)(const double *z, const double *w, void *user);
typedef struct nsds_enumeration {
  nsds_outcome outcome;
  double bases;
  int tried;
  int singular;
  int solutions;
} nsds_enumeration;
nsds_status nsds_enumerate(nsds_solver *solver, const nsds_problem *problem, nsds_solution_fn visit, void *user, nsds_enumeration *report);
typedef struct nsds_simulation nsds_simulation;
typedef enum nsds_verdict {
  NSDS_CONTINUE = 0,
  NSDS_ACCEPT = 1,
  NSDS_RETRY = 2,
  NSDS_STOP = 3
} nsds_verdict;
typedef nsds_verdict (*nsds_check_solver_fn)(nsds_simulation *simulation, const nsds_solver_info *info, void *user);
typedef enum nsds_projection_kind {
  NSDS_PROJECTION_NONE = 0,
  NSDS_PROJECTION_DIRECT = 1,
  NSDS_PROJECTION_COMBINED = 2
} nsds_projection_kind;
typedef enum nsds_metric {
  NSDS_METRIC_MASS = 0,
  NSDS_METRIC_COORDINATES = 1
} nsds_metric;
enum {
  NSDS_CLOSED_AT_ZERO = -1
};
typedef struct nsds_projection_def {
  nsds_projection_kind kind;
  nsds_metric metric;
  double tolerance;
  int max_iterations;
  bool settles;
  double activation;
  uint64_t reserved[NSDS_RESERVED];
} nsds_projection_def;
typedef struct nsds_activation_test {
  bool given;
  double gamma_prediction;
  double tolerance;
  uint64_t reserved[NSDS_RESERVED];
} nsds_activation_test;
nsds_activation_test nsds_activation(double gamma_prediction, double tolerance);
typedef struct nsds_newton_def {
  double residual;
  double increment;
  int max_iterations;
  bool accept;
  uint64_t reserved[NSDS_RESERVED];
} nsds_newton_def;
enum {
  NSDS_HALVE_NEVER = -1
};
typedef enum nsds_coordinates {
  NSDS_COORDINATES_MAXIMAL = 0,
  NSDS_COORDINATES_JOINT = 1
} nsds_coordinates;
enum {
  NSDS_OVERLAP_STAYS = -1
};
typedef struct nsds_time_stepping_def {
  double t0;
  double t1;
  double h;
  nsds_discretisation first_order;
  nsds_discretisation second_order;
  nsds_activation_test activation;
  bool contacts_at_start;
  bool update_prediction;
  nsds_newton_def newton;
  int max_halvings;
  int overlap_sweeps;
  nsds_projection_def projection;
  const char *solver;
  double tolerance;
  nsds_check_solver_fn check_solver;
  void *check_solver_user;
  nsds_coordinates coordinates;
  uint64_t reserved[NSDS_RESERVED - 1];
} nsds_time_stepping_def;
nsds_simulation *nsds_time_stepping(nsds_model *model, const nsds_time_stepping_def *def);
void nsds_simulation_destroy(nsds_simulation *simulation);
nsds_status nsds_step(nsds_simulation *simulation);
nsds_status nsds_run(nsds_simulation *simulation);
nsds_status nsds_step_begin(nsds_simulation *simulation);
nsds_status nsds_step_solve(nsds_simulation *simulation);
nsds_status nsds_step_take(nsds_simulation *simulation, const double *z);
nsds_status nsds_step_update(nsds_simulation *simulation);
nsds_status nsds_step_accept(nsds_simulation *simulation);
nsds_status nsds_step_reject(nsds_simulation *simulation);
const nsds_problem *nsds_simulation_problem(nsds_simulation *simulation);
const double *nsds_simulation_solution(nsds_simulation *simulation);
double nsds_simulation_velocity_error(nsds_simulation *simulation);
nsds_status nsds_simulation_save(nsds_simulation *simulation);
nsds_status nsds_simulation_restore(nsds_simulation *simulation);
nsds_status nsds_snapshot_save(nsds_simulation *simulation, const char *path);
nsds_status nsds_snapshot_load(nsds_simulation *simulation, const char *path);
typedef struct nsds_snapshot nsds_snapshot;
nsds_snapshot *nsds_snapshot_take(nsds_simulation *simulation);
nsds_status nsds_snapshot_restore(nsds_simulation *simulation, const nsds_snapshot *snapshot);
const void *nsds_snapshot_bytes(const nsds_snapshot *snapshot, size_t *size);
nsds_snapshot *nsds_snapshot_from_bytes(nsds_context *context, const void *bytes, size_t size);
void nsds_snapshot_destroy(nsds_snapshot *snapshot);
typedef struct nsds_snapshot_every_def {
  const char *path;
  long steps;
  double seconds;
  uint64_t reserved[NSDS_RESERVED];
} nsds_snapshot_every_def;
nsds_status nsds_snapshot_every(nsds_simulation *simulation, const nsds_snapshot_every_def *def);
typedef struct nsds_sampler_def {
  const char *name;
  double period;
  double phase;
  int (*sample)(nsds_simulation *simulation, void *user);
  void *user;
  uint64_t reserved[NSDS_RESERVED];
} nsds_sampler_def;
nsds_status nsds_simulation_sample(nsds_simulation *simulation, const nsds_sampler_def *def);
typedef struct nsds_event_def {
  const char *name;
  double time;
  int (*call)(nsds_simulation *simulation, void *user);
  void *user;
  uint64_t reserved[NSDS_RESERVED];
} nsds_event_def;
nsds_status nsds_simulation_at(nsds_simulation *simulation, const nsds_event_def *def);
typedef struct nsds_scheduled {
  const char *name;
  double time;
  double period;
} nsds_scheduled;
int nsds_simulation_scheduled_count(const nsds_simulation *simulation);
nsds_status nsds_simulation_scheduled_at(const nsds_simulation *simulation, int k, nsds_scheduled *scheduled);
const char *nsds_simulation_name(const nsds_simulation *simulation);
nsds_status nsds_simulation_set_name(nsds_simulation *simulation, const char *name);
void *nsds_simulation_user(const nsds_simulation *simulation);
nsds_status nsds_simulation_set_user(nsds_simulation *simulation, void *user);
double nsds_time(const nsds_simulation *simulation);
double nsds_simulation_end(const nsds_simulation *simulation);
long nsds_step_count(const nsds_simulation *simulation);
nsds_status nsds_simulation_set_end(nsds_simulation *simulation, double t1);
nsds_status nsds_simulation_set_h(nsds_simulation *simulation, double h);
nsds_status nsds_simulation_set_solver(nsds_simulation *simulation, const char *name, double tolerance);
nsds_solver *nsds_simulation_solver(nsds_simulation *simulation);
typedef struct nsds_projection_info {
  int iterations;
  int passes;
  double violation;
  bool converged;
} nsds_projection_info;
typedef struct nsds_step_info {
  double t;
  double h;
  double t_lambda;
  int substeps;
  int predicted;
  int newton_iterations;
  bool newton_converged;
  double newton_residual;
  double newton_residual_y;
  double newton_residual_r;
  double newton_increment;
  int active;
  int rows;
  nsds_solver_info solver;
  nsds_projection_info projection;
  double lifted;
  nsds_status snapshot;
} nsds_step_info;
const double *nsds_simulation_displacement(const nsds_simulation *simulation, const nsds_ds *ds);
const nsds_step_info *nsds_simulation_info(const nsds_simulation *simulation);
typedef struct nsds_adaptive_view {
  double t;
  const double *x;
  const double *lambda;
  const double *q;
} nsds_adaptive_view;
typedef double (*nsds_switch_margin)(const nsds_adaptive_view *at, int k, bool on, void *user);
typedef struct nsds_adaptive_def {
  double t0;
  double t1;
  double output_period;
  double largest_step;
  double tolerance;
  double settling;
  const double * size;
  double (*next_corner)(double t, void *user);
  int nswitch;
  nsds_interaction *const *switched;
  const double *off_lower;
  const double *off_upper;
  nsds_switch_margin margin;
  void *user;
  bool by_laws;
  const char *solver;
  double solver_tolerance;
  const bool *on;
  nsds_status (*after_step)(nsds_simulation *simulation, void *user);
  int nkept;
  void (*keep)(double *numbers, bool back, void *user);
  uint64_t reserved[NSDS_RESERVED];
} nsds_adaptive_def;
typedef struct nsds_adaptive_info {
  long steps;
  long rejected;
  long events;
  long settled;
  int moved;
  double event;
} nsds_adaptive_info;
nsds_simulation *nsds_adaptive(nsds_model *model, const nsds_adaptive_def *def);
nsds_status nsds_adaptive_rest(nsds_simulation *simulation, double t, double length);
nsds_status nsds_adaptive_set_size(nsds_simulation *simulation, const double *size);
typedef struct nsds_adaptive_stage {
  double t;
  double weight;
  const double *x;
  const double *rate;
  const double *lambda;
  const double *y;
  const double *q;
} nsds_adaptive_stage;
int nsds_adaptive_stages(const nsds_simulation *simulation, nsds_adaptive_stage stage[2]);
bool nsds_adaptive_is_on(const nsds_simulation *simulation, int k);
const nsds_adaptive_info *nsds_simulation_adaptive(const nsds_simulation *simulation);
typedef enum nsds_field_kind {
  NSDS_FIELD_NUMBER,
  NSDS_FIELD_INTEGER,
  NSDS_FIELD_TRUTH,
  NSDS_FIELD_TEXT,
  NSDS_FIELD_WORD,
  NSDS_FIELD_VECTOR,
  NSDS_FIELD_MATRIX,
  NSDS_FIELD_FUNCTION,
  NSDS_FIELD_NAME,
  NSDS_FIELD_NAMES,
  NSDS_FIELD_EXPRESSION,
  NSDS_FIELD_VALUES,
  NSDS_FIELD_SETTINGS,
  NSDS_FIELD_COLUMNS,
  NSDS_FIELD_OBJECT,
  NSDS_FIELD_REFERENCE,
  NSDS_FIELD_OBJECTS,
  NSDS_FIELD_LIST
} nsds_field_kind;
typedef struct nsds_field {
  const char *name;
  const char *member;
  nsds_field_kind kind;
  const char *size;
  const char *unit;
  const char *range;
  const char *fallback;
  const char *uses;
  int plugin;
  const char *words;
  int first;
  const char *family;
  const char *help;
  size_t offset;
  size_t bytes;
  size_t count;
  size_t columns;
  bool whole;
  bool pointer;
  bool optional;
  unsigned option;
  const char *slope_of;
  size_t constant;
  size_t sparse;
  uint64_t reserved[NSDS_RESERVED - 3];
} nsds_field;
struct nsds_model;
typedef struct nsds_type {
  const char *type;
  const char *help;
  const nsds_field *field;
  const char *call;
  size_t bytes;
  size_t tail;
  bool named;
  size_t name_at;
  size_t systems_at;
  int most_systems;
  size_t kind_at;
  int kind;
  size_t user_at;
  size_t prescribed_at;
  bool own;
  bool equality;
  uint16_t ny_at;
  uint16_t nx_at;
  uint16_t nq_at;
  uint16_t nv_at;
  void *(*make)(struct nsds_model *model, const void *definition);
  uint64_t reserved[NSDS_RESERVED - 3];
} nsds_type;
typedef struct nsds_family {
  const char *name;
  const char *help;
  const nsds_type *const *member;
} nsds_family;
const nsds_family *nsds_catalogue(const char *family);
nsds_law *nsds_newton_impact(nsds_model *model, double e);
nsds_law *nsds_poisson_impact(nsds_model *model, double e);
typedef struct nsds_distributing_impact_def {
  double restitution;
  double stiffness;
  double exponent;
  bool bi_stiffness;
  uint64_t reserved[NSDS_RESERVED];
} nsds_distributing_impact_def;
nsds_law *nsds_distributing_impact(nsds_model *model, const nsds_distributing_impact_def *def);
typedef struct nsds_newton_impact_friction_def {
  int dimension;
  double mu;
  double e_n;
  double e_t;
  double slip[2];
  uint64_t reserved[NSDS_RESERVED];
} nsds_newton_impact_friction_def;
nsds_law *nsds_newton_impact_friction(nsds_model *model, const nsds_newton_impact_friction_def *def);
typedef struct nsds_fremond_impact_friction_def {
  int dimension;
  double mu;
  double e_n;
  double slip[2];
  uint64_t reserved[NSDS_RESERVED];
} nsds_fremond_impact_friction_def;
nsds_law *nsds_fremond_impact_friction(nsds_model *model, const nsds_fremond_impact_friction_def *def);
typedef struct nsds_newton_impact_rolling_def {
  int dimension;
  double mu;
  double mu_rolling;
  double e_n;
  double e_t;
  double slip[2];
  uint64_t reserved[NSDS_RESERVED];
} nsds_newton_impact_rolling_def;
nsds_law *nsds_newton_impact_rolling(nsds_model *model, const nsds_newton_impact_rolling_def *def);
nsds_law *nsds_complementarity(nsds_model *model);
nsds_law *nsds_equality(nsds_model *model);
nsds_law *nsds_relay(nsds_model *model, int size, const double *lower, const double *upper);
nsds_law *nsds_saturation(nsds_model *model, int size, const double *lower, const double *upper, double slope);
nsds_law *nsds_normal_cone(nsds_model *model, int size, int nfacet, const double *H, const double *K);
typedef struct nsds_contact_set nsds_contact_set;
typedef struct nsds_contacts nsds_contacts;
typedef struct nsds_contact_place {
  int dimension;
  double point[3];
  double normal[3];
  double tangent[3];
  int shape[2];
} nsds_contact_place;
typedef struct nsds_shape_info nsds_shape_info;
typedef struct nsds_contact_point {
  uint64_t key;
  nsds_ds *ds[2];
  const double *y;
  const double *H;
  nsds_law *law;
  const nsds_contact_place *place;
} nsds_contact_point;
nsds_status nsds_contacts_add(nsds_contacts *contacts, const nsds_contact_point *point);
typedef struct nsds_geometry_ops {
  const char *type;
  nsds_status (*find)(void *self, double t, nsds_contacts *contacts);
  void (*destroy)(void *self);
  int (*shape_count)(void *self);
  void (*shape)(void *self, int k, nsds_shape_info *shape);
  void (*forget)(void *self, const nsds_ds *ds);
  nsds_status (*output)(void *self, uint64_t key, const nsds_arguments *in, double *y);
  nsds_status (*gradient_v)(void *self, uint64_t key, const nsds_arguments *in, const double *found, double *H);
  nsds_status (*bias)(void *self, uint64_t key, const nsds_arguments *in, const double *found, double *bias);
  double (*reach)(void *self);
  double (*travel)(void *self, const nsds_ds *ds, const double *q0, const double *q);
  void (*place)(void *self, uint64_t key, const nsds_arguments *in, const double *found, nsds_contact_place *place);
  uint64_t reserved[NSDS_RESERVED];
} nsds_geometry_ops;
typedef struct nsds_custom_contact_set_def {
  const char *name;
  const nsds_geometry_ops *ops;
  void *self;
  nsds_law *law;
  uint64_t reserved[NSDS_RESERVED];
} nsds_custom_contact_set_def;
nsds_contact_set *nsds_custom_contact_set(nsds_model *model, const nsds_custom_contact_set_def *def);
nsds_status nsds_contact_set_destroy(nsds_contact_set *set);
typedef bool (*nsds_choose_fn)(const nsds_contact_point *point, uint64_t *order, void *user);
nsds_status nsds_contact_set_choose(nsds_contact_set *set, nsds_choose_fn choose, void *user);
const char *nsds_contact_set_name(const nsds_contact_set *set);
nsds_status nsds_contact_set_set_name(nsds_contact_set *set, const char *name);
void *nsds_contact_set_user(const nsds_contact_set *set);
nsds_status nsds_contact_set_set_user(nsds_contact_set *set, void *user);
int nsds_contact_set_count(const nsds_contact_set *set);
int nsds_model_contact_set_count(const nsds_model *model);
nsds_contact_set *nsds_model_contact_set_at(const nsds_model *model, int k);
typedef struct nsds_contact_info {
  uint64_t key;
  nsds_ds *ds[2];
  const double *y;
  const double *ydot;
  const double *impulse;
  const double *force;
  bool active;
  nsds_contact_set *set;
  nsds_interaction *interaction;
  int rows;
  bool located;
  int dimension;
  int shape[2];
  double point[3];
  double normal[3];
  double tangent[2][3];
  double world_impulse[3];
  double world_force[3];
  double world_twist[3];
  double world_moment[3];
} nsds_contact_info;
nsds_status nsds_contact_set_get(const nsds_contact_set *set, int k, nsds_contact_info *info);
nsds_status nsds_interaction_contact(const nsds_interaction *interaction, nsds_contact_info *info);
typedef struct nsds_contact_iterator {
  const nsds_model *model;
  const nsds_contact_set *set;
  const nsds_ds *ds;
  int part;
  int next;
} nsds_contact_iterator;
nsds_contact_iterator nsds_set_contacts(const nsds_contact_set *set);
nsds_contact_iterator nsds_body_contacts(const nsds_ds *ds);
nsds_contact_iterator nsds_model_contacts(const nsds_model *model);
bool nsds_next_contact(nsds_contact_iterator *iterator, nsds_contact_info *contact);
typedef struct nsds_balls_def {
  const char *name;
  nsds_law *law;
  int count;
  nsds_ds *const *ds;
  int dimension;
  double radius;
  const double *normal;
  double offset;
  bool pairs;
  double reach;
  uint64_t reserved[NSDS_RESERVED];
} nsds_balls_def;
nsds_contact_set *nsds_balls(nsds_model *model, const nsds_balls_def *def);
typedef struct nsds_plane {
  double normal[3];
  double offset;
} nsds_plane;
typedef struct nsds_spheres_def {
  const char *name;
  nsds_law *law;
  int count;
  nsds_ds *const *ds;
  double radius;
  const double *radii;
  int nplane;
  const nsds_plane *plane;
  bool planes_only;
  double reach;
  int max_contacts;
  uint64_t reserved[NSDS_RESERVED];
} nsds_spheres_def;
nsds_contact_set *nsds_spheres(nsds_model *model, const nsds_spheres_def *def);
enum {
  NSDS_ACCUMULATE_NEVER = -1
};
typedef struct nsds_event_driven_def {
  double t0;
  double t1;
  double output_period;
  const char *integrator;
  double relative_tolerance;
  double absolute_tolerance;
  double largest_step;
  double root_tolerance;
  int root_panels;
  double accumulation;
  int max_events;
  double window;
  int window_steps;
  long max_steps;
  const char *solver;
  double tolerance;
  const char *impact_solver;
  int problems;
  int history;
  nsds_coordinates coordinates;
  uint64_t reserved[NSDS_RESERVED - 3];
} nsds_event_driven_def;
nsds_simulation *nsds_event_driven(nsds_model *model, const nsds_event_driven_def *def);
typedef enum nsds_event_kind {
  NSDS_EVENT_GRID = 1,
  NSDS_EVENT_SCHEDULED = 2,
  NSDS_EVENT_NONSMOOTH = 4,
  NSDS_EVENT_IMPACT = 8,
  NSDS_EVENT_ACCUMULATION = 16,
  NSDS_EVENT_END = 32,
  NSDS_EVENT_WINDOW = 64,
  NSDS_EVENT_SEARCH = 128
} nsds_event_kind;
typedef struct nsds_event_row {
  nsds_interaction *interaction;
  nsds_contact_set *set;
  uint64_t key;
  int row;
  bool closed_before;
  bool closed_after;
  double ydot_before;
  double ydot_after;
  double impulse;
  double limit_time;
} nsds_event_row;
typedef struct nsds_event_info {
  unsigned kind;
  double t;
  double previous;
  int count;
  const nsds_event_row *row;
  int undecided;
  double kinetic_before;
  double kinetic_after;
  bool stiff;
  long nonsmooth;
  long windows;
  long steps;
  long evaluations;
} nsds_event_info;
bool nsds_event_ahead(const nsds_simulation *simulation);
double nsds_event_next(const nsds_simulation *simulation);
nsds_status nsds_event_meet(nsds_simulation *simulation);
nsds_status nsds_event_process(nsds_simulation *simulation);
nsds_status nsds_event_window(nsds_simulation *simulation, double length, int steps);
const nsds_event_info *nsds_simulation_event(const nsds_simulation *simulation);
const nsds_problem *nsds_event_impact_problem(const nsds_simulation *simulation);
const double *nsds_event_impact_solution(const nsds_simulation *simulation);
const nsds_problem *nsds_event_force_problem(const nsds_simulation *simulation);
const double *nsds_event_force_solution(const nsds_simulation *simulation);
typedef enum nsds_event_level {
  NSDS_EVENT_IMPULSES = 1,
  NSDS_EVENT_FORCES = 2
} nsds_event_level;
typedef struct nsds_event_place {
  nsds_interaction *interaction;
  nsds_contact_set *set;
  uint64_t key;
  int row;
} nsds_event_place;
typedef struct nsds_event_problem_info {
  nsds_event_level level;
  const nsds_problem *problem;
  const double *z;
  const nsds_event_place *place;
} nsds_event_problem_info;
int nsds_event_problem_count(const nsds_simulation *simulation);
nsds_status nsds_event_problem_at(const nsds_simulation *simulation, int k, nsds_event_problem_info *info);
nsds_status nsds_event_set_impact_solver(nsds_simulation *simulation, const char *name, double tolerance);
nsds_solver *nsds_event_impact_solver(nsds_simulation *simulation);
typedef struct nsds_event_row_state {
  nsds_event_place place;
  int degree;
  int index_set;
  bool closed;
  double y;
  double ydot;
  double yddot;
  double impulse;
  double lambda;
} nsds_event_row_state;
int nsds_event_row_count(const nsds_simulation *simulation);
nsds_status nsds_event_row_at(nsds_simulation *simulation, int k, nsds_event_row_state *state);
nsds_status nsds_event_force(nsds_simulation *simulation, const nsds_ds *ds, double *p);
typedef struct nsds_event_record {
  unsigned kind;
  double t;
  int count;
} nsds_event_record;
int nsds_event_past_count(const nsds_simulation *simulation);
nsds_status nsds_event_past_at(const nsds_simulation *simulation, int k, nsds_event_record *record);
enum {
  NSDS_SOLVER_NAME = 63,
  NSDS_SOLVER_OPTIONS = 5
};
typedef struct nsds_solver_task {
  const nsds_problem *problem;
  double tolerance;
  int max_iterations;
  const double *option;
  nsds_solver *solver;
  nsds_outcome outcome;
  int iterations;
  int factorizations;
} nsds_solver_task;
typedef struct nsds_solver_ops {
  const char *name;
  const char *summary;
  const char *reference;
  unsigned sets;
  unsigned storages;
  const nsds_option *option;
  void *user;
  nsds_status (*create)(void *user, nsds_context *context, void **self);
  void (*destroy)(void *self);
  nsds_status (*reserve)(void *self, const nsds_problem *problem);
  nsds_status (*solve)(void *self, nsds_solver_task *task, double *z);
  uint64_t reserved[NSDS_RESERVED];
} nsds_solver_ops;
nsds_status nsds_solver_register(nsds_context *context, const nsds_solver_ops *ops);
const nsds_solver_row *nsds_solver_registered(const nsds_context *context, int k);
bool nsds_solver_stop(nsds_solver_task *task, int iteration, double residual);
nsds_status nsds_report(nsds_context *context, nsds_status status, const char *format, ...) ;
typedef struct nsds_output nsds_output;
nsds_status nsds_output_open(nsds_context *context, const char *call, const char *path, nsds_output **output);
FILE *nsds_output_stream(const nsds_output *output);
nsds_status nsds_output_close(nsds_output *output, bool complete);
typedef enum nsds_variable {
  NSDS_WRT_Q = 1,
  NSDS_WRT_V = 2,
  NSDS_WRT_T = 3,
  NSDS_WRT_LAMBDA = 4,
  NSDS_WRT_X = 5,
  NSDS_WRT_XDOT = 6
} nsds_variable;
typedef struct nsds_jacobian_pair {
  const char *name;
  nsds_operator function;
  nsds_operator jacobian;
  nsds_variable variable;
  int rows;
  void *user;
} nsds_jacobian_pair;
typedef struct nsds_matrix_shape {
  bool present;
  bool constant;
  const int *p;
  const int *i;
} nsds_matrix_shape;
typedef struct nsds_second_order_ops {
  const char *type;
  nsds_status (*mass)(void *self, const nsds_arguments *in, double *M);
  nsds_status (*force)(void *self, const nsds_arguments *in, double *F);
  nsds_status (*damping)(void *self, const nsds_arguments *in, double *C);
  nsds_status (*stiffness)(void *self, const nsds_arguments *in, double *K);
  nsds_status (*velocity_map)(void *self, const nsds_arguments *in, double *T);
  nsds_status (*advance)(void *self, const nsds_arguments *in, const double *step, double *q);
  nsds_status (*prescribed)(void *self, const nsds_arguments *in, double *v);
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  void (*destroy)(void *self);
  uint64_t reserved[NSDS_RESERVED];
} nsds_second_order_ops;
typedef struct nsds_custom_second_order_def {
  const nsds_second_order_ops *ops;
  void *self;
  const char *name;
  int ndof;
  int nq;
  const double *q0;
  const double *v0;
  nsds_matrix_shape mass;
  nsds_matrix_shape damping;
  nsds_matrix_shape stiffness;
  bool affine;
  bool force_constant;
  bool explicit_force;
  nsds_prescribed prescribed;
  int nz;
  const double *z;
  uint64_t reserved[NSDS_RESERVED];
} nsds_custom_second_order_def;
nsds_ds *nsds_custom_second_order(nsds_model *model, const nsds_custom_second_order_def *def);
typedef struct nsds_scales {
  double *size;
  double largest_step;
} nsds_scales;
typedef struct nsds_first_order_ops {
  const char *type;
  nsds_status (*mass)(void *self, const nsds_arguments *in, double *M);
  nsds_status (*rhs)(void *self, const nsds_arguments *in, double *f);
  nsds_status (*jacobian)(void *self, const nsds_arguments *in, double *A);
  nsds_status (*rate_jacobian)(void *self, const nsds_arguments *in, double *E);
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  void (*destroy)(void *self);
  double (*next_corner)(void *self, double t);
  void (*scales)(void *self, nsds_scales *scales);
  nsds_status (*look)(void *self, const nsds_arguments *in);
  uint64_t reserved[NSDS_RESERVED];
} nsds_first_order_ops;
typedef struct nsds_custom_first_order_def {
  const nsds_first_order_ops *ops;
  void *self;
  const char *name;
  int n;
  const double *x0;
  nsds_matrix_shape mass;
  nsds_matrix_shape jacobian;
  nsds_matrix_shape rate_jacobian;
  bool affine;
  bool rhs_constant;
  int nz;
  const double *z;
  uint64_t reserved[NSDS_RESERVED];
} nsds_custom_first_order_def;
nsds_ds *nsds_custom_first_order(nsds_model *model, const nsds_custom_first_order_def *def);
typedef struct nsds_relation_ops {
  const char *type;
  nsds_status (*output)(void *self, const nsds_arguments *in, double *y);
  nsds_status (*jacobian_q)(void *self, const nsds_arguments *in, double *H);
  nsds_status (*gradient_v)(void *self, const nsds_arguments *in, double *H);
  nsds_status (*jacobian_v)(void *self, const nsds_arguments *in, double *E);
  nsds_status (*jacobian_x)(void *self, const nsds_arguments *in, double *C);
  nsds_status (*jacobian_t)(void *self, const nsds_arguments *in, double *ht);
  nsds_status (*bias)(void *self, const nsds_arguments *in, double *bias);
  nsds_status (*jacobian_lambda)(void *self, const nsds_arguments *in, double *hl);
  nsds_status (*feedthrough)(void *self, const nsds_arguments *in, double *D);
  nsds_status (*input)(void *self, const nsds_arguments *in, double *r);
  nsds_status (*input_lambda)(void *self, const nsds_arguments *in, double *B);
  nsds_status (*input_x)(void *self, const nsds_arguments *in, double *K);
  nsds_status (*input_q)(void *self, const nsds_arguments *in, double *Kq);
  nsds_status (*input_v)(void *self, const nsds_arguments *in, double *Kv);
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  void (*destroy)(void *self);
  bool (*limit)(void *self, const double *from, double *lambda);
  double (*next_corner)(void *self, double t);
  double (*margin)(void *self, const nsds_arguments *in, bool on);
  nsds_status (*look)(void *self, const nsds_arguments *in);
  uint64_t reserved[NSDS_RESERVED - 2];
} nsds_relation_ops;
typedef struct nsds_custom_relation_def {
  const nsds_relation_ops *ops;
  void *self;
  const char *name;
  int ny;
  int nq;
  int nv;
  bool mixed;
  int nx;
  bool affine;
  bool linear;
  bool impulsive;
  int nZ;
  int nz;
  const double *z;
  const double *terms;
  bool on;
  double off_lower;
  double off_upper;
  uint64_t reserved[NSDS_RESERVED - 1];
} nsds_custom_relation_def;
nsds_relation *nsds_custom_relation(nsds_model *model, const nsds_custom_relation_def *def);
typedef enum nsds_level {
  NSDS_LEVEL_VELOCITY = 0,
  NSDS_LEVEL_POSITION = 1,
  NSDS_LEVEL_FORCE = 2
} nsds_level;
typedef struct nsds_law_ops {
  const char *type;
  void (*block)(void *self, nsds_block *block);
  bool (*active)(void *self, const double *y, const double *ydot, double tau, double slack);
  void (*restitution)(void *self, const double *ydot, double *q);
  void (*compliance)(void *self, double *D, int ld);
  void (*destroy)(void *self);
  uint64_t reserved[NSDS_RESERVED];
} nsds_law_ops;
typedef struct nsds_custom_law_def {
  const nsds_law_ops *ops;
  void *self;
  int size;
  int ngap;
  nsds_level level;
  uint64_t reserved[NSDS_RESERVED];
} nsds_custom_law_def;
nsds_law *nsds_custom_law(nsds_model *model, const nsds_custom_law_def *def);
typedef struct nsds_scheme {
  double t;
  double t_next;
  double h;
  double theta;
  double gamma;
  double gamma_mass;
  double input_new;
  double input_old;
  double relation_weight;
  bool predict_once;
  bool f_at_theta;
  bool input_at_theta;
  bool uniform;
} nsds_scheme;
typedef struct nsds_integration {
  nsds_context *context;
  const nsds_ds *ds;
  const nsds_scheme *scheme;
  int nq;
  int nu;
  bool affine;
  const double *q;
  const double *u;
  const double *p;
  double *q_end;
  double *u_end;
  const double *p_end;
  double *reaction_end;
  double *u_free;
  double *residual;
  double *force;
  double *force_end;
  double *memory;
  double input_weight;
} nsds_integration;
typedef struct nsds_integrator {
  const char *name;
  int order;
  bool sparse_gain;
  bool rates;
  size_t (*memory)(const nsds_integration *s);
  nsds_status (*check)(nsds_integration *s);
  nsds_status (*refresh)(nsds_integration *s);
  nsds_status (*free)(nsds_integration *s);
  nsds_status (*evaluate)(nsds_integration *s);
  nsds_status (*tangent)(nsds_integration *s);
  nsds_status (*solve)(nsds_integration *s);
  void (*apply)(const nsds_integration *s, int nrhs, double *b);
  void (*carry)(const nsds_integration *s, const double *b, double *dq, double *du);
  nsds_status (*advance)(nsds_integration *s);
  void (*advance_flat)(const nsds_scheme *scheme, size_t n, const double *q, const double *u, const double *u_end, double *q_end);
  nsds_status (*finish)(nsds_integration *s);
  bool (*finishes)(const nsds_integration *s);
  bool bundled;
  uint64_t reserved[NSDS_RESERVED];
} nsds_integrator;
const nsds_integrator *nsds_integrator_named(const char *name);
typedef struct nsds_ds_operators {
  const nsds_second_order_ops *second;
  const nsds_first_order_ops *first;
  void *self;
  nsds_matrix_shape mass;
  nsds_matrix_shape damping;
  nsds_matrix_shape stiffness;
  bool affine;
  bool force_constant;
} nsds_ds_operators;
nsds_status nsds_ds_set_integrator(nsds_ds *ds, const nsds_integrator *integrator);
nsds_ds_operators nsds_ds_describe(const nsds_ds *ds);
nsds_arguments nsds_ds_point(const nsds_ds *ds, double t, const double *q, const double *u);
enum {
  NSDS_STEP_VELOCITIES = 6
};
typedef struct nsds_step_gap {
  int contact;
  int row;
  int body[2];
  bool held[2];
  double overlap;
  double driven;
  double before;
  double impulse;
  double taken;
  double H[2][NSDS_STEP_VELOCITIES];
  double Y[2][NSDS_STEP_VELOCITIES];
} nsds_step_gap;
const nsds_problem *nsds_step_problem(nsds_simulation *simulation);
int nsds_step_contact(nsds_simulation *simulation, int a, nsds_contact_set **set);
typedef void (*nsds_complete_fn)(const double *free, double *v, void *user);
nsds_status nsds_step_embed(nsds_simulation *simulation, const double *z, nsds_complete_fn complete, void *user);
nsds_status nsds_step_gaps(nsds_simulation *simulation, int capacity, nsds_step_gap *gap, int *count);
nsds_status nsds_step_displace(nsds_simulation *simulation, const double *way);
const double *nsds_x(const nsds_ds *ds);
int nsds_nx(const nsds_ds *ds);
const double *nsds_r(const nsds_ds *ds);
nsds_status nsds_set_x(nsds_ds *ds, const double *x);
nsds_status nsds_set_r(nsds_ds *ds, const double *r);
typedef struct nsds_first_order_control {
  int n;
  const double *map;
  nsds_operator map_fn;
  nsds_operator fn;
  nsds_operator jac_x_fn;
  nsds_operator jac_xdot_fn;
  nsds_operator jac_map_x_fn;
} nsds_first_order_control;
typedef struct nsds_first_order_def {
  const char *name;
  int n;
  const double *x0;
  const double *mass;
  nsds_operator mass_fn;
  nsds_operator f_fn;
  nsds_operator jac_f_x_fn;
  nsds_first_order_control control;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  uint64_t reserved[NSDS_RESERVED];
} nsds_first_order_def;
nsds_ds *nsds_first_order(nsds_model *model, const nsds_first_order_def *def);
typedef struct nsds_first_order_linear_def {
  const char *name;
  int n;
  const double *x0;
  const double *mass;
  const nsds_csc *mass_sparse;
  nsds_operator mass_fn;
  const double *A;
  const nsds_csc *A_sparse;
  nsds_operator A_fn;
  const double *b;
  nsds_operator b_fn;
  nsds_first_order_control control;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  uint64_t reserved[NSDS_RESERVED];
} nsds_first_order_linear_def;
nsds_ds *nsds_first_order_linear(nsds_model *model, const nsds_first_order_linear_def *def);
typedef struct nsds_first_order_linear_relation_def {
  const char *name;
  int ny;
  int nx;
  int nZ;
  const double *C;
  const double *D;
  const double *B;
  const double *F;
  const double *e;
  nsds_operator C_fn;
  nsds_operator D_fn;
  nsds_operator B_fn;
  nsds_operator F_fn;
  nsds_operator e_fn;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  uint64_t reserved[NSDS_RESERVED];
} nsds_first_order_linear_relation_def;
nsds_relation * nsds_first_order_linear_relation(nsds_model *model, const nsds_first_order_linear_relation_def *def);
typedef struct nsds_first_order_relation_def {
  const char *name;
  int ny;
  int nx;
  nsds_operator output_fn;
  nsds_operator jac_output_x_fn;
  nsds_operator jac_output_lambda_fn;
  nsds_operator input_fn;
  nsds_operator jac_input_lambda_fn;
  nsds_operator jac_input_x_fn;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  uint64_t reserved[NSDS_RESERVED];
} nsds_first_order_relation_def;
nsds_relation *nsds_first_order_relation(nsds_model *model, const nsds_first_order_relation_def *def);
int nsds_relative_degree(const nsds_interaction *interaction, int row, double tolerance);
typedef struct nsds_global_problem {
  int nv;
  int n;
  int p;
  int nblock;
  const nsds_block *block;
  nsds_matrix M;
  nsds_csc H;
  nsds_csc G;
  const double *f;
  const double *w;
  const double *b;
  uint64_t stamp;
} nsds_global_problem;
nsds_status nsds_global_check(nsds_context *context, const nsds_global_problem *problem);
typedef struct nsds_global_certificate {
  double residual;
  double dynamics;
  double equality;
  double law;
  int worst_block;
  double standard;
} nsds_global_certificate;
size_t nsds_global_work(const nsds_global_problem *problem);
void nsds_global_certify(const nsds_global_problem *problem, const double *v, const double *r, const double *lambda, double *work, nsds_global_certificate *certificate);
nsds_status nsds_global_solve(nsds_solver *solver, const nsds_global_problem *problem, double *v, double *r, double *u, double *lambda, nsds_solver_info *info);
typedef enum nsds_format {
  NSDS_FORMAT_AUTO = 0,
  NSDS_FORMAT_LCP = 1,
  NSDS_FORMAT_MLCP = 2,
  NSDS_FORMAT_FRICTION = 3,
  NSDS_FORMAT_FCLIB = 4,
  NSDS_FORMAT_RELAY = 5,
  NSDS_FORMAT_ROLLING = 6,
  NSDS_FORMAT_GLOBAL = 7,
  NSDS_FORMAT_MLCP_LINES = 8,
  NSDS_FORMAT_NSDS = 9,
  NSDS_FORMAT_QPS = 10
} nsds_format;
const char *nsds_format_text(nsds_format format);
typedef struct nsds_problem_file nsds_problem_file;
typedef struct nsds_stored_point {
  const double *z;
  const double *w;
  const double *v;
} nsds_stored_point;
typedef struct nsds_notes {
  const char *name;
  const char *const *block_name;
  const nsds_stored_point *solution;
  const nsds_stored_point *guess;
  int nguess;
} nsds_notes;
nsds_problem_file *nsds_problem_read(nsds_context *context, const char *path, nsds_format format);
nsds_problem_file *nsds_problem_read_memory(nsds_context *context, const char *name, const char *data, size_t size, nsds_format format);
void nsds_problem_file_destroy(nsds_problem_file *file);
const char *nsds_problem_file_kind(const nsds_problem_file *file);
const nsds_problem *nsds_problem_file_problem(const nsds_problem_file *file);
const nsds_global_problem *nsds_problem_file_global(const nsds_problem_file *file);
const nsds_matrix *nsds_problem_file_matrix(const nsds_problem_file *file);
const char *nsds_problem_file_storage(const nsds_problem_file *file);
const nsds_notes *nsds_problem_file_notes(const nsds_problem_file *file);
const nsds_stored_point *nsds_problem_file_solution(const nsds_problem_file *file);
int nsds_problem_file_nguess(const nsds_problem_file *file);
const nsds_stored_point *nsds_problem_file_guess(const nsds_problem_file *file, int k);
nsds_status nsds_problem_write(nsds_context *context, const nsds_problem *problem, const nsds_notes *notes, const char *path, nsds_format format);
nsds_status nsds_global_write(nsds_context *context, const nsds_global_problem *problem, const nsds_notes *notes, const char *path, nsds_format format);
typedef enum nsds_joint_kind {
  NSDS_JOINT_BALL = 1,
  NSDS_JOINT_HINGE,
  NSDS_JOINT_PRISMATIC,
  NSDS_JOINT_CYLINDRICAL,
  NSDS_JOINT_FIXED,
  NSDS_JOINT_DISTANCE,
  NSDS_JOINT_ROPE,
  NSDS_JOINT_GEAR,
  NSDS_JOINT_UNIVERSAL,
  NSDS_JOINT_PLANAR
} nsds_joint_kind;
typedef struct nsds_joint_def {
  const char *name;
  nsds_joint_kind kind;
  nsds_ds *ds[3];
  double point[3];
  double other[3];
  double axis[3];
  double other_axis[3];
  int teeth[2];
  double length;
  double start;
  bool reversed;
  double D;
  uint64_t reserved[NSDS_RESERVED];
} nsds_joint_def;
nsds_relation *nsds_joint(nsds_model *model, const nsds_joint_def *def);
typedef enum nsds_joint_coordinate_kind {
  NSDS_COORDINATE_ANGLE = 1,
  NSDS_COORDINATE_DISPLACEMENT = 2,
  NSDS_COORDINATE_SWING = 3,
  NSDS_COORDINATE_TWIST = 4,
  NSDS_COORDINATE_FIRST = 5,
  NSDS_COORDINATE_SECOND = 6,
  NSDS_COORDINATE_OF_SYSTEM = 7
} nsds_joint_coordinate_kind;
typedef struct nsds_joint_coordinate_def {
  const char *name;
  nsds_joint_coordinate_kind kind;
  nsds_ds *ds[2];
  double point[3];
  double axis[3];
  bool reversed;
  double offset;
  double D;
  double other_axis[3];
  uint64_t reserved[NSDS_RESERVED - 3];
} nsds_joint_coordinate_def;
nsds_relation *nsds_joint_coordinate(nsds_model *model, const nsds_joint_coordinate_def *def);
typedef struct nsds_joint_drive_def {
  nsds_joint_coordinate_def coordinate;
  double stiffness;
  double damping;
  double target;
  double rate;
  double force;
  bool passive;
  bool integrated;
  double target_lower;
  double target_upper;
  uint64_t reserved[NSDS_RESERVED];
} nsds_joint_drive_def;
nsds_relation *nsds_joint_drive(nsds_model *model, const nsds_joint_drive_def *def);
nsds_status nsds_joint_drive_set(nsds_interaction *drive, double target, double rate, double force);
typedef struct nsds_joint_drive_motion {
  double coordinate;
  double rate;
  double target;
  double target_rate;
  double given;
  double force;
} nsds_joint_drive_motion;
nsds_status nsds_joint_drive_read(const nsds_interaction *drive, nsds_joint_drive_motion *motion);
typedef struct nsds_joint_term {
  nsds_joint_coordinate_def coordinate;
  int index;
  double weight;
} nsds_joint_term;
typedef struct nsds_joint_couple_def {
  const char *name;
  int nterm;
  const nsds_joint_term *term;
  double offset;
  uint64_t reserved[NSDS_RESERVED];
} nsds_joint_couple_def;
nsds_interaction *nsds_joint_couple(nsds_model *model, const nsds_joint_couple_def *def);
typedef struct nsds_joint_act_def {
  nsds_joint_coordinate_def coordinate;
  double stiffness;
  double damping;
  double rest;
  double friction;
  double armature;
  double lower;
  double upper;
  double restitution;
  double stop_stiffness;
  bool driven;
  bool integrated;
  double drive_stiffness;
  double drive_damping;
  double target;
  double rate;
  double force;
  double most;
  double target_lower;
  double target_upper;
  uint64_t reserved[NSDS_RESERVED];
} nsds_joint_act_def;
typedef struct nsds_joint_actions {
  nsds_interaction *spring;
  nsds_interaction *drive;
  nsds_interaction *friction;
  nsds_interaction *lower;
  nsds_interaction *upper;
  nsds_ds *rotor;
  nsds_interaction *armature;
} nsds_joint_actions;
nsds_status nsds_joint_act(nsds_model *model, const nsds_joint_act_def *def, nsds_joint_actions *made);
typedef struct nsds_joint_motion {
  double angle;
  double angular_velocity;
  double displacement;
  double velocity;
} nsds_joint_motion;
nsds_status nsds_joint_read(const nsds_interaction *joint, nsds_joint_motion *motion);
nsds_status nsds_joint_set_turns(nsds_interaction *joint, double near);
nsds_status nsds_joint_points(const nsds_interaction *joint, double first[3], double second[3]);
typedef struct nsds_force_function {
  nsds_operator fn;
  nsds_operator jac_q_fn;
  nsds_operator jac_v_fn;
} nsds_force_function;
typedef struct nsds_lagrangian_control {
  int n;
  const double *map;
  nsds_operator map_fn;
  nsds_operator fn;
  nsds_operator jac_q_fn;
  nsds_operator jac_v_fn;
  nsds_operator jac_map_q_fn;
} nsds_lagrangian_control;
typedef struct nsds_lagrangian_def {
  const char *name;
  int ndof;
  const double *q0;
  const double *v0;
  const double *mass;
  nsds_operator mass_fn;
  nsds_force_function nnl;
  nsds_force_function fint;
  const double *fext;
  nsds_operator fext_fn;
  nsds_lagrangian_control control;
  nsds_prescribed prescribed;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  uint64_t reserved[NSDS_RESERVED];
} nsds_lagrangian_def;
nsds_ds *nsds_lagrangian(nsds_model *model, const nsds_lagrangian_def *def);
typedef struct nsds_lagrangian_linear_def {
  const char *name;
  int ndof;
  const double *q0;
  const double *v0;
  const double *mass;
  const double *damping;
  const double *stiffness;
  const nsds_csc *mass_sparse;
  const nsds_csc *damping_sparse;
  const nsds_csc *stiffness_sparse;
  const double *fext;
  nsds_operator fext_fn;
  nsds_prescribed prescribed;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  uint64_t reserved[NSDS_RESERVED];
} nsds_lagrangian_linear_def;
nsds_ds *nsds_lagrangian_linear(nsds_model *model, const nsds_lagrangian_linear_def *def);
typedef struct nsds_lagrangian_linear_relation_def {
  const char *name;
  int ny;
  int nq;
  int nZ;
  const double *H;
  const double *D;
  bool D_in_y;
  const double *compliance;
  const double *F;
  const double *b;
  int nz;
  const double *z;
  uint64_t reserved[NSDS_RESERVED];
} nsds_lagrangian_linear_relation_def;
nsds_relation * nsds_lagrangian_linear_relation(nsds_model *model, const nsds_lagrangian_linear_relation_def *def);
typedef struct nsds_lagrangian_relation_def {
  const char *name;
  int ny;
  int nq;
  nsds_operator output_fn;
  nsds_operator jac_output_q_fn;
  nsds_operator jac_output_t_fn;
  nsds_operator jac_output_lambda_fn;
  bool rate_form;
  nsds_operator bias_fn;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  uint64_t reserved[NSDS_RESERVED];
} nsds_lagrangian_relation_def;
nsds_relation *nsds_lagrangian_relation(nsds_model *model, const nsds_lagrangian_relation_def *def);
typedef enum nsds_shape_kind {
  NSDS_SPHERE = 1,
  NSDS_CAPSULE = 2,
  NSDS_BOX = 3,
  NSDS_HULL = 4,
  NSDS_HALF_SPACE = 5,
  NSDS_TRIANGLES = 6,
  NSDS_CYLINDER = 7,
  NSDS_CONE = 8,
  NSDS_ELLIPSOID = 9,
  NSDS_HEIGHT_FIELD = 10,
  NSDS_MESH = 11
} nsds_shape_kind;
typedef struct nsds_shape_def {
  nsds_shape_kind kind;
  nsds_ds *ds;
  double position[3];
  double quaternion [4];
  double angle;
  double radius;
  double top_radius;
  double half[3];
  nsds_plane plane;
  int nvertex;
  const double *vertex;
  int nface;
  const int *face;
  int material;
  int group;
  int nx;
  int ny;
  const double *height;
  const int *part;
  double color[3];
  bool hidden;
  uint64_t reserved[NSDS_RESERVED - 3];
} nsds_shape_def;
typedef struct nsds_material {
  double mu;
  double mu_rolling;
  double e_n;
  double e_t;
} nsds_material;
typedef enum nsds_mix {
  NSDS_MIX_GEOMETRIC = 0,
  NSDS_MIX_MIN = 1,
  NSDS_MIX_MAX = 2,
  NSDS_MIX_MEAN = 3
} nsds_mix;
typedef void (*nsds_mix_fn)(const nsds_material *a, const nsds_material *b, nsds_material *pair, void *user);
typedef enum nsds_overlap_method {
  NSDS_OVERLAP_AUTO = 0,
  NSDS_OVERLAP_AXES = 1,
  NSDS_OVERLAP_CCD = 2
} nsds_overlap_method;
typedef struct nsds_shapes_def {
  const char *name;
  int dimension;
  nsds_law *law;
  int nmaterial;
  const nsds_material *material;
  nsds_mix mix;
  nsds_mix_fn mix_fn;
  void *user;
  bool rolling;
  int nshape;
  const nsds_shape_def *shape;
  double reach;
  int max_contacts;
  nsds_overlap_method overlap;
  uint64_t reserved[NSDS_RESERVED];
} nsds_shapes_def;
nsds_contact_set *nsds_shapes(nsds_model *model, const nsds_shapes_def *def);
int nsds_shapes_add(nsds_contact_set *set, const nsds_shape_def *shape);
nsds_status nsds_shapes_remove(nsds_contact_set *set, int shape);
nsds_status nsds_shapes_remove_body(nsds_contact_set *set, const nsds_ds *ds);
nsds_status nsds_shapes_exclude(nsds_contact_set *set, const nsds_ds *first, const nsds_ds *second);
nsds_status nsds_shapes_include(nsds_contact_set *set, const nsds_ds *first, const nsds_ds *second);
struct nsds_shape_info {
  int number;
  int dimension;
  nsds_shape_kind kind;
  nsds_ds *ds;
  double radius;
  double top_radius;
  double half[3];
  nsds_plane plane;
  int material;
  int group;
  double position[3];
  double quaternion[4];
  double angle;
  double world_position[3];
  double world_quaternion[4];
  double world_angle;
  int nvertex;
  const double *vertex;
  int nface;
  const int *first;
  const int *face;
  double color[3];
  bool hidden;
};
nsds_status nsds_shapes_name(nsds_contact_set *set, int shape, uint64_t name);
int nsds_shapes_count(const nsds_contact_set *set);
nsds_status nsds_shapes_at(const nsds_contact_set *set, int k, nsds_shape_info *shape);
nsds_status nsds_shapes_get(const nsds_contact_set *set, int number, nsds_shape_info *shape);
int nsds_shapes_of_body(const nsds_contact_set *set, const nsds_ds *ds, int capacity, int *number);
typedef struct nsds_ray {
  double origin[3];
  double direction[3];
  double length;
  const nsds_ds *ignore;
} nsds_ray;
typedef struct nsds_shape_hit {
  int shape;
  nsds_ds *ds;
  double distance;
  double point[3];
  double normal[3];
} nsds_shape_hit;
nsds_status nsds_shapes_cast(nsds_contact_set *set, int nray, const nsds_ray *ray, nsds_shape_hit *hit);
nsds_status nsds_shapes_nearest(nsds_contact_set *set, const double point[3], double within, const nsds_ds *ignore, nsds_shape_hit *hit);
int nsds_shapes_in_ball(nsds_contact_set *set, const double center[3], double radius, const nsds_ds *ignore, int capacity, int *shape);
typedef struct nsds_shape_gap {
  double distance;
  double point[2][3];
  double normal[3];
} nsds_shape_gap;
nsds_status nsds_shapes_gap(nsds_contact_set *set, int first, int second, nsds_shape_gap *gap);
typedef struct nsds_mass_def {
  int dimension;
  int nshape;
  const nsds_shape_def *shape;
  double density;
  const double *densities;
  double mass;
  uint64_t reserved[NSDS_RESERVED];
} nsds_mass_def;
typedef struct nsds_mass {
  double volume;
  double mass;
  double center[3];
  double inertia[9];
} nsds_mass;
nsds_status nsds_mass_properties(nsds_model *model, const nsds_mass_def *def, nsds_mass *mass);
void nsds_center_shapes(int nshape, nsds_shape_def *shape, const double center[3]);
typedef struct nsds_mixed_linear_relation_def {
  const char *name;
  int ny;
  int nx;
  int nq;
  int nv;
  const double *C;
  const double *H;
  const double *E;
  const double *D;
  const double *e;
  nsds_operator e_fn;
  const double *B;
  const double *L;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  uint64_t reserved[NSDS_RESERVED];
} nsds_mixed_linear_relation_def;
nsds_relation *nsds_mixed_linear_relation(nsds_model *model, const nsds_mixed_linear_relation_def *def);
typedef struct nsds_mixed_relation_def {
  const char *name;
  int ny;
  int nx;
  int nq;
  int nv;
  nsds_operator output_fn;
  nsds_operator jac_output_x_fn;
  nsds_operator jac_output_q_fn;
  nsds_operator jac_output_v_fn;
  nsds_operator jac_output_lambda_fn;
  nsds_operator input_fn;
  nsds_operator jac_input_lambda_fn;
  nsds_operator jac_input_x_fn;
  nsds_operator jac_input_q_fn;
  nsds_operator jac_input_v_fn;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  const double *terms;
  uint64_t reserved[NSDS_RESERVED - 1];
} nsds_mixed_relation_def;
nsds_relation *nsds_mixed_relation(nsds_model *model, const nsds_mixed_relation_def *def);
typedef int (*nsds_point_fn)(const double *z, double *out, void *user);
typedef struct nsds_nonlinear_problem {
  int n;
  int nblock;
  const nsds_block *block;
  nsds_point_fn F;
  nsds_point_fn jacobian;
  const int *p;
  const int *i;
  void *user;
} nsds_nonlinear_problem;
nsds_status nsds_nonlinear_solve(nsds_solver *solver, const nsds_nonlinear_problem *problem, int max_steps, double *z, double *w, nsds_solver_info *info);
typedef enum nsds_kind {
  NSDS_KIND_NONE = 0,
  NSDS_KIND_MASS,
  NSDS_KIND_NNL,
  NSDS_KIND_JAC_NNL_Q,
  NSDS_KIND_JAC_NNL_V,
  NSDS_KIND_FINT,
  NSDS_KIND_JAC_FINT_Q,
  NSDS_KIND_JAC_FINT_V,
  NSDS_KIND_FEXT,
  NSDS_KIND_CONTROL_MAP,
  NSDS_KIND_CONTROL,
  NSDS_KIND_PRESCRIBED,
  NSDS_KIND_OUTPUT,
  NSDS_KIND_JAC_OUTPUT_Q,
  NSDS_KIND_JAC_OUTPUT_T,
  NSDS_KIND_JAC_OUTPUT_LAMBDA,
  NSDS_KIND_F,
  NSDS_KIND_JAC_F_X,
  NSDS_KIND_A,
  NSDS_KIND_B_VECTOR,
  NSDS_KIND_JAC_OUTPUT_X,
  NSDS_KIND_INPUT,
  NSDS_KIND_JAC_INPUT_X,
  NSDS_KIND_JAC_INPUT_LAMBDA,
  NSDS_KIND_C,
  NSDS_KIND_D,
  NSDS_KIND_B,
  NSDS_KIND_F_MATRIX,
  NSDS_KIND_E,
  NSDS_KIND_BIAS,
  NSDS_KIND_JAC_CONTROL_X,
  NSDS_KIND_JAC_CONTROL_XDOT,
  NSDS_KIND_JAC_CONTROL_MAP_X,
  NSDS_KIND_JAC_CONTROL_Q,
  NSDS_KIND_JAC_CONTROL_V,
  NSDS_KIND_JAC_CONTROL_MAP_Q,
} nsds_kind;
const char *nsds_kind_text(nsds_kind kind);
typedef struct nsds_plugin_entry {
  const char *name;
  nsds_kind kind;
  nsds_operator function;
} nsds_plugin_entry;
typedef struct nsds_plugin_law_entry {
  const char *name;
  int nz;
  nsds_status (*make)(nsds_context *context, int nz, const double *z, nsds_custom_law_def *def);
} nsds_plugin_law_entry;
typedef struct nsds_plugin_table_type {
  int abi;
  int count;
  const nsds_plugin_entry *entry;
  int nlaw;
  const nsds_plugin_law_entry *law;
  int nsolver;
  const nsds_solver_ops *const *solver;
} nsds_plugin_table_type;
typedef struct nsds_plugin nsds_plugin;
nsds_plugin *nsds_plugin_open(nsds_model *model, const char *path);
nsds_operator nsds_plugin_get(nsds_plugin *plugin, const char *name, nsds_kind kind);
nsds_law *nsds_plugin_law(nsds_plugin *plugin, const char *name, int nz, const double *z);
nsds_status nsds_plugin_solver(nsds_plugin *plugin, const char *name);
typedef struct nsds_load_function {
  nsds_operator fn;
  nsds_operator jac_q_fn;
  nsds_operator jac_v_fn;
  bool in_body;
  bool in_world;
} nsds_load_function;
typedef struct nsds_rigid_body_def {
  const char *name;
  double mass;
  const double *inertia;
  const double *q0;
  const double *v0;
  double gravity[3];
  nsds_load_function force;
  nsds_load_function moment;
  bool explicit_gyroscopic;
  nsds_prescribed prescribed;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  uint64_t reserved[NSDS_RESERVED];
} nsds_rigid_body_def;
nsds_ds *nsds_rigid_body(nsds_model *model, const nsds_rigid_body_def *def);
typedef struct nsds_rigid_body_2d_def {
  const char *name;
  double mass;
  double inertia;
  const double *q0;
  const double *v0;
  double gravity[2];
  nsds_operator force_fn;
  nsds_prescribed prescribed;
  int nz;
  const double *z;
  void *user;
  int ndata;
  const nsds_operator_data *data;
  uint64_t reserved[NSDS_RESERVED];
} nsds_rigid_body_2d_def;
nsds_ds *nsds_rigid_body_2d(nsds_model *model, const nsds_rigid_body_2d_def *def);
typedef enum nsds_frame {
  NSDS_FRAME_WORLD = 0,
  NSDS_FRAME_BODY = 1
} nsds_frame;
nsds_status nsds_set_body_force(nsds_ds *ds, const double *force, const double *moment, nsds_frame frame);
typedef struct nsds_body_contact {
  double gap;
  double point[3];
  double normal[3];
  double tangent[3];
} nsds_body_contact;
typedef int (*nsds_body_contact_fn)(const nsds_arguments *in, nsds_body_contact *contact, void *user);
typedef struct nsds_contact_relation_def {
  const char *name;
  int dimension;
  int rows;
  bool pair;
  nsds_body_contact_fn contact_fn;
  nsds_body_contact_fn rate_fn;
  void *user;
  uint64_t reserved[NSDS_RESERVED];
} nsds_contact_relation_def;
nsds_relation *nsds_contact_relation(nsds_model *model, const nsds_contact_relation_def *def);
typedef struct nsds_sphere_plane_relation_def {
  const char *name;
  int dimension;
  int rows;
  double radius;
  double center[3];
  double normal[3];
  double offset;
  uint64_t reserved[NSDS_RESERVED];
} nsds_sphere_plane_relation_def;
nsds_relation *nsds_sphere_plane_relation(nsds_model *model, const nsds_sphere_plane_relation_def *def);
typedef struct nsds_sphere_sphere_relation_def {
  const char *name;
  int dimension;
  int rows;
  double radius[2];
  double center[2][3];
  uint64_t reserved[NSDS_RESERVED];
} nsds_sphere_sphere_relation_def;
nsds_relation *nsds_sphere_sphere_relation(nsds_model *model, const nsds_sphere_sphere_relation_def *def);
void nsds_to_world(const double *q, const double body[3], double world[3]);
void nsds_to_body(const double *q, const double world[3], double body[3]);
typedef struct nsds_sensor nsds_sensor;
typedef enum nsds_sensor_kind {
  NSDS_SENSOR_PLACE = 1,
  NSDS_SENSOR_MOTION = 2,
  NSDS_SENSOR_ACCELERATION = 3,
  NSDS_SENSOR_IMU = 4,
  NSDS_SENSOR_JOINT = 5,
  NSDS_SENSOR_JOINT_FORCE = 6,
  NSDS_SENSOR_CONTACT_FORCE = 7,
  NSDS_SENSOR_RANGE = 8,
  NSDS_SENSOR_TOUCH = 9,
  NSDS_SENSOR_CENTER = 10
} nsds_sensor_kind;
typedef enum nsds_zone {
  NSDS_ZONE_ALL = 0,
  NSDS_ZONE_SPHERE = 1,
  NSDS_ZONE_CAPSULE = 2,
  NSDS_ZONE_CYLINDER = 3,
  NSDS_ZONE_BOX = 4,
  NSDS_ZONE_ELLIPSOID = 5
} nsds_zone;
typedef struct nsds_sensor_def {
  const char *name;
  nsds_sensor_kind kind;
  nsds_ds *ds;
  nsds_interaction *joint;
  nsds_contact_set *set;
  double point[3];
  double quaternion[4];
  nsds_frame axes;
  nsds_joint_coordinate_kind coordinate;
  double axis[3];
  double most;
  nsds_zone zone;
  double radius;
  double half[3];
  int count;
  nsds_ds *const *bodies;
  uint64_t reserved[NSDS_RESERVED];
} nsds_sensor_def;
nsds_sensor *nsds_sensor_create(nsds_model *model, const nsds_sensor_def *def);
void nsds_sensor_destroy(nsds_sensor *sensor);
int nsds_sensor_count(const nsds_model *model);
nsds_sensor *nsds_sensor_at(const nsds_model *model, int k);
const char *nsds_sensor_name(const nsds_sensor *sensor);
nsds_sensor *nsds_sensor_find(const nsds_model *model, const char *name);
int nsds_sensor_size(const nsds_sensor *sensor);
const char *nsds_sensor_unit(const nsds_sensor *sensor, int k);
nsds_status nsds_sensor_read(nsds_sensor *sensor, double *value);
typedef enum nsds_owner {
  NSDS_OWNER_RUN,
  NSDS_OWNER_SYSTEM,
  NSDS_OWNER_INTERACTION,
  NSDS_OWNER_CONTACT_SET,
  NSDS_OWNER_SENSOR
} nsds_owner;
typedef enum nsds_moment {
  NSDS_MOMENT_PRESENT,
  NSDS_MOMENT_INTERVAL,
  NSDS_MOMENT_SEARCH
} nsds_moment;
typedef struct nsds_quantity {
  const char *name;
  nsds_owner owner;
  const char *size;
  const char *unit;
  const char *help;
  int (*size_of)(const void *object);
  const char *(*unit_of)(const void *object, int k);
  const double *(*array)(const void *object);
  double (*read)(nsds_simulation *simulation, void *object, int k);
  nsds_moment (*moment)(const nsds_simulation *simulation, const void *object, int k);
  uint64_t reserved[NSDS_RESERVED];
} nsds_quantity;
const nsds_quantity *nsds_quantity_table(void);
const nsds_quantity *nsds_quantity_find(nsds_owner owner, const char *name);
int nsds_quantity_size(const nsds_quantity *quantity, const void *object);
const char *nsds_quantity_unit(const nsds_quantity *quantity, const void *object, int k);
nsds_moment nsds_quantity_moment(const nsds_quantity *quantity, const nsds_simulation *simulation, const void *object, int k);
double nsds_quantity_read(const nsds_quantity *quantity, nsds_simulation *simulation, void *object, int k);
typedef enum nsds_drive_setting {
  NSDS_DRIVE_TARGET = 0,
  NSDS_DRIVE_RATE = 1,
  NSDS_DRIVE_FORCE = 2
} nsds_drive_setting;
typedef struct nsds_rollout_control {
  nsds_interaction *drive;
  nsds_drive_setting setting;
} nsds_rollout_control;
typedef struct nsds_rollout_def {
  const nsds_snapshot *start;
  const double *state;
  int steps;
  int ncontrol;
  const nsds_rollout_control *control;
  const double *controls;
  double *states;
  uint64_t reserved[NSDS_RESERVED];
} nsds_rollout_def;
int nsds_rollout_size(const nsds_model *model);
nsds_status nsds_rollout_state(const nsds_model *model, double *state);
nsds_status nsds_rollout(nsds_simulation *simulation, const nsds_rollout_def *def, int *done);
typedef enum nsds_rest {
  NSDS_REST_PRESENT = 0,
  NSDS_REST_LENGTH = 1
} nsds_rest;
typedef struct nsds_spring_def {
  const char *name;
  nsds_ds *ds[2];
  double point[3];
  double other[3];
  bool coordinates;
  int coordinate[2];
  double stiffness;
  double damping;
  nsds_rest rest;
  double length;
  uint64_t reserved[NSDS_RESERVED];
} nsds_spring_def;
nsds_relation *nsds_spring(nsds_model *model, const nsds_spring_def *def);
typedef struct nsds_spring_motion {
  double length;
  double rate;
  double pull;
  double energy;
} nsds_spring_motion;
nsds_status nsds_spring_read(const nsds_interaction *interaction, nsds_spring_motion *motion);
typedef struct nsds_table_column {
  const char *name;
  const char *unit;
  const double *x;
  const char *const *text;
} nsds_table_column;
typedef struct nsds_table_note {
  const char *name;
  const char *text;
  uint64_t number;
} nsds_table_note;
typedef struct nsds_table_def {
  long nrows;
  int ncolumns;
  const nsds_table_column *columns;
  int nnotes;
  const nsds_table_note *notes;
  uint64_t reserved[NSDS_RESERVED];
} nsds_table_def;
nsds_status nsds_table_write(nsds_context *context, const nsds_table_def *def, const char *path);
int nsds_number_text(double value, char *text, size_t size);
typedef enum nsds_tie_kind {
  NSDS_TIE_OTHER = 0,
  NSDS_TIE_JOINT,
  NSDS_TIE_ANGLE,
  NSDS_TIE_DISPLACEMENT,
  NSDS_TIE_SPRING,
  NSDS_TIE_COORDINATES
} nsds_tie_kind;
typedef struct nsds_tie {
  nsds_tie_kind kind;
  nsds_joint_kind joint;
  bool located;
  double point[2][3];
  bool directed;
  double axis[3];
  int coordinate[2];
  bool stops;
  double way;
} nsds_tie;
nsds_status nsds_tie_read(const nsds_interaction *interaction, nsds_tie *tie);
typedef struct nsds_tree nsds_tree;
nsds_tree *nsds_tree_create(nsds_model *model);
void nsds_tree_destroy(nsds_tree *tree);
typedef struct nsds_tree_body {
  nsds_ds *ds;
  int parent;
  nsds_interaction *joint;
  nsds_joint_kind kind;
  int q;
  int nq;
  int u;
  int nu;
} nsds_tree_body;
int nsds_tree_size(const nsds_tree *tree);
int nsds_tree_nq(const nsds_tree *tree);
int nsds_tree_nu(const nsds_tree *tree);
nsds_status nsds_tree_at(const nsds_tree *tree, int k, nsds_tree_body *body);
nsds_interaction *nsds_tree_left(const nsds_tree *tree, int k);
nsds_status nsds_tree_get_state(nsds_tree *tree, double *q, double *u);
nsds_status nsds_tree_set_state(nsds_tree *tree, const double *q, const double *u);
nsds_status nsds_tree_forward(nsds_tree *tree, const double *q, const double *u, double *place, double *twist);
nsds_status nsds_tree_mass(nsds_tree *tree, const double *q, double *M);
nsds_status nsds_tree_bias(nsds_tree *tree, const double *q, const double *u, double *b);
nsds_status nsds_tree_inverse(nsds_tree *tree, const double *q, const double *u, const double *a, double *tau);
nsds_status nsds_tree_dynamics(nsds_tree *tree, const double *q, const double *u, const double *tau, double *a);
nsds_status nsds_tree_jacobian(nsds_tree *tree, const double *q, int body, const double *point, double *J);
typedef struct nsds_tree_sums {
  double mass;
  double center[3];
  double velocity[3];
  double linear[3];
  double angular[3];
  double kinetic;
  double potential;
} nsds_tree_sums;
nsds_status nsds_tree_sum(nsds_tree *tree, const double *q, const double *u, nsds_tree_sums *sums);
typedef struct nsds_vtk nsds_vtk;
typedef struct nsds_vtk_def {
  const char *path;
  int sphere_level;
  int nshape;
  const nsds_shape_def *shape;
  uint64_t reserved[NSDS_RESERVED];
} nsds_vtk_def;
nsds_vtk *nsds_vtk_create(nsds_context *context, const nsds_vtk_def *def);
nsds_status nsds_write_vtk(nsds_vtk *series, nsds_model *model, double t);
void nsds_vtk_destroy(nsds_vtk *series);
typedef struct nsds_job nsds_job;
typedef void (*nsds_write_fn)(const char *piece, void *user);
typedef enum nsds_job_kind {
  NSDS_JOB_BY_NAME = 0,
  NSDS_JOB_CIRCUIT = 1,
  NSDS_JOB_MODEL_FILE = 2,
  NSDS_JOB_ROBOT = 3
} nsds_job_kind;
typedef struct nsds_job_setting {
  const char *name;
  const char *value;
} nsds_job_setting;
typedef struct nsds_job_limits {
  int files;
  size_t bytes;
  double seconds;
  int64_t numbers;
  size_t memory;
} nsds_job_limits;
typedef struct nsds_job_def {
  const char *file;
  const char *text;
  nsds_job_kind kind;
  int nsettings;
  const nsds_job_setting *settings;
  bool refuse_plugins;
  bool untrusted;
  nsds_job_limits limits;
  bool balance;
  bool world;
  const char *folders;
  uint64_t reserved[NSDS_RESERVED];
} nsds_job_def;
nsds_job *nsds_job_create(nsds_context *context, const nsds_job_def *def);
nsds_status nsds_job_check(nsds_context *context, const nsds_job_def *def, nsds_write_fn write, void *user);
void nsds_job_destroy(nsds_job *job);
nsds_model *nsds_job_model(const nsds_job *job);
const nsds_shape_def *nsds_job_shapes(const nsds_job *job, int *count);
nsds_simulation *nsds_job_simulation(const nsds_job *job);
typedef struct nsds_job_body {
  nsds_ds *ds;
  double mass;
  double inertia[9];
  int nshape;
  const nsds_shape_def *shape;
} nsds_job_body;
typedef struct nsds_job_world_info {
  double t0;
  double t1;
  double h;
  double gravity[3];
  int nmaterial;
  const nsds_material *material;
  nsds_mix mix;
  double reach;
  double tolerance;
  int max_iterations;
  bool leads_out;
  int overlap_sweeps;
  int nbody;
  const nsds_job_body *body;
  int nprescribed;
  nsds_ds *const *prescribed;
} nsds_job_world_info;
const nsds_job_world_info *nsds_job_world(const nsds_job *job);
nsds_status nsds_job_scenery(const nsds_job *job, nsds_model *model, nsds_contact_set *set);
typedef struct nsds_job_figures {
  double t;
  long steps;
  long long found;
  long long active;
  int iterations;
  double residual;
} nsds_job_figures;
typedef nsds_status (*nsds_job_step_fn)( bool show, nsds_job_figures *figures, void *user);
nsds_status nsds_job_drive(nsds_job *job, nsds_job_step_fn step, void *user);
int nsds_job_warning_count(const nsds_job *job);
const char *nsds_job_warning(const nsds_job *job, int k);
const char *nsds_job_title(const nsds_job *job);
double nsds_job_end(const nsds_job *job);
int nsds_job_column_count(const nsds_job *job);
const char *nsds_job_column_name(const nsds_job *job, int k);
const char *nsds_job_column_unit(const nsds_job *job, int k);
const double *nsds_job_row(const nsds_job *job);
nsds_status nsds_job_step(nsds_job *job);
int nsds_job_measure_count(const nsds_job *job);
const char *nsds_job_measure_name(const nsds_job *job, int k);
double nsds_job_measure(const nsds_job *job, int k);
typedef struct nsds_balance_entry {
  const char *name;
  const char *kind;
  double given;
  double dissipated;
  double stored;
  double lost;
} nsds_balance_entry;
typedef struct nsds_balance_sum {
  double start;
  double end;
  double given;
  double dissipated;
  double stored;
  double lost;
  double left;
  double passed;
  double charge_left;
  double charge_passed;
} nsds_balance_sum;
int nsds_job_balance_count(const nsds_job *job);
nsds_status nsds_job_balance(const nsds_job *job, int k, nsds_balance_entry *entry);
nsds_status nsds_job_balance_sum(const nsds_job *job, nsds_balance_sum *sum);
nsds_status nsds_job_expand(const nsds_job *job, nsds_write_fn write, void *user);
nsds_status nsds_job_import(const nsds_job *job, nsds_write_fn write, void *user);
int nsds_nearest_name(const char *asked, int count, const char *const *names);
typedef enum nsds_model_format_kind {
  NSDS_MODEL_FORMAT_JSON_SCHEMA = 1,
  NSDS_MODEL_FORMAT_REFERENCE = 2
} nsds_model_format_kind;
nsds_status nsds_model_format(nsds_model_format_kind kind, nsds_write_fn write, void *user);
nsds_status nsds_describe(const nsds_model *model, nsds_write_fn write, void *user);
typedef struct nsds_sweep nsds_sweep;
typedef enum nsds_sampling {
  NSDS_SAMPLING_GRID = 0,
  NSDS_SAMPLING_RANDOM = 1,
  NSDS_SAMPLING_LATIN = 2
} nsds_sampling;
typedef struct nsds_sweep_def {
  const char *file;
  int naxes;
  const char *const *axes;
  nsds_sampling sampling;
  long samples;
  uint64_t seed;
  int nsettings;
  const nsds_job_setting *settings;
  bool refuse_plugins;
  bool untrusted;
  nsds_job_limits limits;
  const char *folders;
  uint64_t reserved[NSDS_RESERVED - 1];
} nsds_sweep_def;
nsds_sweep *nsds_sweep_create(nsds_context *context, const nsds_sweep_def *def);
void nsds_sweep_destroy(nsds_sweep *sweep);
long nsds_sweep_count(const nsds_sweep *sweep);
int nsds_sweep_axis_count(const nsds_sweep *sweep);
const char *nsds_sweep_axis_name(const nsds_sweep *sweep, int k);
int nsds_sweep_measure_count(const nsds_sweep *sweep);
const char *nsds_sweep_measure_name(const nsds_sweep *sweep, int k);
uint64_t nsds_sweep_key(const nsds_sweep *sweep);
int nsds_sweep_value(const nsds_sweep *sweep, long point, int k, char *text, size_t size);
double nsds_sweep_number(const nsds_sweep *sweep, long point, int k);
nsds_status nsds_sweep_run(const nsds_sweep *sweep, long point, double *measures, char *message, size_t message_size);
typedef struct nsds_network nsds_network;
typedef struct nsds_circuit_def {
  const char *file;
  const char *text;
  int nsettings;
  const nsds_job_setting *settings;
  bool at_rest;
  bool ideal;
  uint64_t reserved[NSDS_RESERVED];
} nsds_circuit_def;
nsds_network *nsds_circuit(nsds_model *model, const nsds_circuit_def *def);
nsds_ds *nsds_network_ds(const nsds_network *network);
int nsds_network_place(const nsds_network *network, const char *what);
double nsds_network_read(const nsds_network *network, const char *what);
typedef struct nsds_scene nsds_scene;
typedef struct nsds_scene_def {
  const char *title;
  int nquantities;
  const char *const *names;
  const char *const *units;
  bool without_forces;
  int nshape;
  const nsds_shape_def *shape;
  uint64_t reserved[NSDS_RESERVED];
} nsds_scene_def;
nsds_scene *nsds_scene_create(nsds_context *context, nsds_model *model, const nsds_scene_def *def);
void nsds_scene_destroy(nsds_scene *scene);
nsds_status nsds_scene_record(nsds_scene *scene, double t, const double *quantities);
nsds_status nsds_scene_write_html(nsds_scene *scene, const char *path);
