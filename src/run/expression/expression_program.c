/*
 * A choice runs only the side that it takes. So each node gets a region: the whole, or a side of a
 * choice, and a side has the region of its choice around it. The region of a node is the smallest
 * one with all places that use the node. Nodes come after their inputs. Hence one walk from the
 * last node to the first finds all regions, and each node becomes one instruction, in the region of
 * the node. Sides that are nested too deeply are evaluated without choice, so that the recursion of
 * sides is bounded.
 */
#include "run/expression/expression_program.h"

#include "base/text/words.h"

enum { deepest_region = 60 };

/* Instructions that are no operation. */
enum {
  OP_CALL_ONE = NSDS_OP_CHOICE + 1,
  OP_CALL_TWO,
  OP_SQUARE,
  OP_COPY,
  OP_JUMP,
  OP_JUMP_AT_ZERO,
  OP_END
};

typedef struct instruction {
  int operation;
  int to_skip; /* instructions that a jump skips */
  const double *a, *b;
  union {
    const double *c;
    double (*one)(double);
    double (*two)(double, double);
  };
  double *to;
} instruction;

struct nsds_program {
  instruction *code;
  const double **result;
};

/* ---- regions ---- */

typedef struct region {
  int parent, depth;
  int first; /* of its nodes, linked by `next`; -1: none */
} region;

typedef struct compiler {
  const nsds_expressions *all;
  int last;                     /* node */
  int *region_of, *next, *side; /* by node; side: the first of two regions of a choice, or -1 */
  region *region;
  int nregion, count; /* count: instructions at most */
  int nnumber;
  instruction *code; /* that is written */
  double *value;     /* results by node, then numbers */
  double *number;    /* the next free one */
} compiler;

static int common_region(const compiler *c, int a, int b) {
  while (a != b)
    if (c->region[a].depth >= c->region[b].depth) a = c->region[a].parent;
    else b = c->region[b].parent;
  return a;
}

static void use_term(compiler *c, nsds_term term, int where) {
  if (term.node < 0) {
    ++c->nnumber;
    return;
  }
  int *at = &c->region_of[term.node];
  *at = *at < 0 ? where : common_region(c, *at, where);
}

static int add_region(compiler *c, int parent) {
  c->region[c->nregion] = (region){parent, c->region[parent].depth + 1, -1};
  return c->nregion++;
}

static void place_node(compiler *c, int k) {
  const nsds_node *n = &c->all->node[k];
  int here = c->region_of[k], inputs = nsds_operation_inputs(n->operation);
  bool sides = n->operation == NSDS_OP_CHOICE && c->region[here].depth < deepest_region;
  c->side[k] = -1;
  if (sides) {
    c->side[k] = add_region(c, here);
    add_region(c, here);
  }
  for (int i = 0; i < inputs; ++i)
    use_term(c, n->in[i], sides && i > 0 ? c->side[k] + i - 1 : here);
  if (n->operation == NSDS_OP_VARIABLE) return;
  c->next[k] = c->region[here].first;
  c->region[here].first = k;
  c->count += n->operation == NSDS_OP_CHOICE ? 4 : 1;
}

static void place_nodes(compiler *c, const nsds_term *term, int n) {
  c->region[0] = (region){-1, 0, -1};
  c->nregion = 1;
  for (int k = 0; k <= c->last; ++k) c->region_of[k] = -1;
  for (int k = 0; k < n; ++k) use_term(c, term[k], 0);
  for (int k = c->last; k >= 0; --k)
    if (c->region_of[k] >= 0) place_node(c, k);
}

/* ---- instructions ---- */

static const double *operand_place(compiler *c, nsds_term term) {
  if (term.node < 0) {
    *c->number = term.number;
    return c->number++;
  }
  const nsds_node *n = &c->all->node[term.node];
  return n->operation == NSDS_OP_VARIABLE ? n->variable : &c->value[term.node];
}

static void write_region(compiler *c, int k);

/* Jumps to the other side if the condition is 0. */
static void write_sides(compiler *c, int k) {
  const nsds_node *n = &c->all->node[k];
  instruction *jump = c->code++;
  *jump = (instruction){.operation = OP_JUMP_AT_ZERO, .a = operand_place(c, n->in[0])};
  write_region(c, c->side[k]);
  *c->code++ =
      (instruction){.operation = OP_COPY, .a = operand_place(c, n->in[1]), .to = &c->value[k]};
  instruction *end = c->code++;
  *end = (instruction){.operation = OP_JUMP};
  jump->to_skip = (int)(c->code - jump);
  write_region(c, c->side[k] + 1);
  *c->code++ =
      (instruction){.operation = OP_COPY, .a = operand_place(c, n->in[2]), .to = &c->value[k]};
  end->to_skip = (int)(c->code - end);
}

static void write_node(compiler *c, int k) {
  const nsds_node *n = &c->all->node[k];
  int side = c->side[k], inputs = nsds_operation_inputs(n->operation);
  if (side >= 0 && (c->region[side].first >= 0 || c->region[side + 1].first >= 0)) {
    write_sides(c, k);
    return;
  }
  instruction *i = c->code++;
  *i = (instruction){.operation = (int)n->operation, .to = &c->value[k]};
  i->a = operand_place(c, n->in[0]);
  if (n->operation == NSDS_OP_POWER && nsds_term_is(n->in[1], 2.0)) {
    i->operation = OP_SQUARE;
    return;
  }
  if (inputs > 1) i->b = operand_place(c, n->in[1]);
  if (inputs > 2) i->c = operand_place(c, n->in[2]);
  if (nsds_operation_one(n->operation)) {
    i->operation = OP_CALL_ONE;
    i->one = nsds_operation_one(n->operation);
  } else if (nsds_operation_two(n->operation)) {
    i->operation = OP_CALL_TWO;
    i->two = nsds_operation_two(n->operation);
  }
}

static void write_region(compiler *c, int k) {
  for (int node = c->region[k].first; node >= 0; node = c->next[node]) write_node(c, node);
}

static nsds_program *write_program(compiler *c, const nsds_term *term, int n,
                                   const nsds_program_memory *memory) {
  nsds_program *p = memory->take(memory->owner, 1, sizeof *p);
  instruction *code = memory->take(memory->owner, (size_t)c->count + 1, sizeof *code);
  const double **result = memory->take(memory->owner, (size_t)n, sizeof(const double *));
  size_t values = (size_t)c->last + 1 + (size_t)c->nnumber;
  c->value = memory->take(memory->owner, values, sizeof *c->value);
  if (!p || !code || !result || !c->value) return NULL;
  c->number = c->value + c->last + 1;
  c->code = code;
  write_region(c, 0);
  *c->code = (instruction){.operation = OP_END};
  for (int k = 0; k < n; ++k) result[k] = operand_place(c, term[k]);
  *p = (nsds_program){code, result};
  return p;
}

nsds_program *nsds_program_create(const nsds_expressions *all, const nsds_term *term, int n,
                                  const nsds_program_memory *memory) {
  compiler c = {.all = all, .last = -1};
  size_t choices = 0;
  for (int k = 0; k < n; ++k)
    if (term[k].node > c.last) c.last = term[k].node;
  for (int k = 0; k <= c.last; ++k) choices += all->node[k].operation == NSDS_OP_CHOICE;
  int *table = nsds_alloc(all->context, "an expression", 3 * ((size_t)c.last + 2), sizeof *table);
  NSDS_MAKE(all->context, c.region, 2 * choices + 1);
  nsds_program *program = NULL;
  if (table && c.region) {
    c.region_of = table;
    c.next = table + c.last + 2;
    c.side = c.next + c.last + 2;
    place_nodes(&c, term, n);
    program = write_program(&c, term, n, memory);
  }
  nsds_free(table);
  nsds_free(c.region);
  return program;
}

/* ---- running ---- */

void nsds_program_run(const nsds_program *program) {
  for (const instruction *i = program->code;; ++i) switch (i->operation) {
    case NSDS_OP_SUM: *i->to = *i->a + *i->b; break;
    case NSDS_OP_DIFFERENCE: *i->to = *i->a - *i->b; break;
    case NSDS_OP_PRODUCT: *i->to = *i->a * *i->b; break;
    case NSDS_OP_QUOTIENT: *i->to = *i->a / *i->b; break;
    case NSDS_OP_SLOPE_QUOTIENT: *i->to = *i->a == 0.0 ? 0.0 : *i->a / *i->b; break;
    case NSDS_OP_NEGATIVE: *i->to = -*i->a; break;
    case NSDS_OP_NOT: *i->to = *i->a == 0.0; break;
    case NSDS_OP_LESS: *i->to = *i->a < *i->b; break;
    case NSDS_OP_LESS_EQUAL: *i->to = *i->a <= *i->b; break;
    case NSDS_OP_GREATER: *i->to = *i->a > *i->b; break;
    case NSDS_OP_GREATER_EQUAL: *i->to = *i->a >= *i->b; break;
    case NSDS_OP_EQUAL: *i->to = *i->a == *i->b; break;
    case NSDS_OP_UNEQUAL: *i->to = *i->a != *i->b; break;
    case NSDS_OP_AND: *i->to = *i->a != 0.0 && *i->b != 0.0; break;
    case NSDS_OP_OR: *i->to = *i->a != 0.0 || *i->b != 0.0; break;
    case NSDS_OP_CHOICE: *i->to = *i->a != 0.0 ? *i->b : *i->c; break;
    case OP_SQUARE: *i->to = *i->a * *i->a; break;
    case OP_CALL_ONE: *i->to = i->one(*i->a); break;
    case OP_CALL_TWO: *i->to = i->two(*i->a, *i->b); break;
    case OP_COPY: *i->to = *i->a; break;
    case OP_JUMP: i += i->to_skip - 1; break;
    case OP_JUMP_AT_ZERO:
      if (*i->a == 0.0) i += i->to_skip - 1;
      break;
    default: return;
    }
}

double nsds_program_value(const nsds_program *program, int k) { return *program->result[k]; }
