/*
 * Malformed netlists: a good one of which one line is replaced, from a table and by rules that spoil each line. Each has
 * to be refused with file, line, column and a reason.
 */
#include "run_test.h"

#include <ctype.h>

static const char *const good[] = {
    /* 1 */ "A netlist with one card of each kind",
    /* 2 */ ".param duty=0.5 period={10u} width={duty*period}",
    /* 3 */ "Vin in 0 DC 24",
    /* 4 */ "Vs s 0 SIN(0 10 50 0 0 30)",
    /* 5 */ "Vp g 0 PULSE(0 1 0 0 0 {width} {period})",
    /* 6 */ "Vw w 0 PWL(0 0 1m 1 2m 0)",
    /* 7 */ "I1 0 a 1m",
    /* 8 */ "R1 in a 10",
    /* 9 */ "C1 a 0 1u IC=1",
    /* 10 */ "L1 a b 1m IC=0",
    /* 11 */ "L2 c 0 1m",
    /* 12 */ "K1 L1 L2 0.9",
    /* 13 */ "E1 e 0 a 0 2",
    /* 14 */ "F1 0 c Vin 0.1",
    /* 15 */ "G1 0 c a 0 1m",
    /* 16 */ "H1 h 0 Vin 5",
    /* 17 */ "D1 b out DI",
    /* 18 */ "D2 c 0 DS 2",
    /* 19 */ "S1 out 0 g 0 SWI OFF",
    /* 20 */ "S2 out 0 SWI PULSE(0 1 0 0 0 5u 10u)",
    /* 21 */ "W1 out 0 Vin WI OFF",
    /* 22 */ "T1 out 0 t 0 N=2",
    /* 23 */ "X1 t 0 load r=20",
    /* 24 */ ".model DI D(ideal=1 vf=0.5 ron=1m)",
    /* 25 */ ".model DS D(is=1e-14 n=1 rs=10m)",
    /* 26 */ ".model SWI SW(ideal=1 vt=0.5 vh=0.1)",
    /* 27 */ ".model WI CSW(it=1 ih=0.1 ron=1 roff=1meg)",
    /* 28 */ ".subckt load p n params: r=10",
    /* 29 */ "R1 p n {r}",
    /* 30 */ ".ends load",
    /* 31 */ ".options gmin=1n rmin=1u temp=27 events=1",
    /* 32 */ ".ic v(a)=1",
    /* 33 */ ".tran 1u 20u 0 1u uic",
    /* 34 */ ".print tran v(out) v(a,b) i(L1) p(R1)",
    /* 35 */ ".measure tran vout mean v(out) from=10u to=20u",
    /* 36 */ "Re e 0 1k",
    /* 37 */ "Rh h 0 1k",
    /* 38 */ "Rs s w 1k",
};
enum { line_count = sizeof good / sizeof *good };

/* The netlist with line `line` (from 1) replaced; NULL: as it is. */
static char *netlist_with(int line, const char *text) {
  size_t size = 1;
  for (int k = 0; k < line_count; ++k) size += strlen(good[k]) + 1;
  if (text) size += strlen(text);
  char *whole = malloc(size), *at = whole;
  assert_non_null(whole);
  for (int k = 0; k < line_count; ++k)
    at += sprintf(at, "%s\n", text && k + 1 == line ? text : good[k]);
  *at = '\0';
  return whole;
}

static int refusals;

/* Errors as the log sees them. */
typedef struct log_of_errors {
  int count;
  char text[30][200];
} log_of_errors;

static void keep_error(nsds_log_level level, const char *message, void *user) {
  log_of_errors *log = user;
  if (level != NSDS_LOG_ERROR) return;
  if (log->count < 30) snprintf(log->text[log->count], sizeof log->text[0], "%s", message);
  ++log->count;
}

static void expect_errors(const char *netlist, int count, const char *const *begin) {
  log_of_errors log = {0};
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = keep_error, .log_user = &log});
  assert_null(nsds_job_create(
      context, &(nsds_job_def){.file = "bad.cir", .text = netlist, .kind = NSDS_JOB_CIRCUIT}));
  if (log.count != count) {
    for (int k = 0; k < log.count && k < 30; ++k) print_message("%s\n", log.text[k]);
    fail_msg("%d errors, not %d", log.count, count);
  }
  for (int k = 0; k < count && begin; ++k)
    if (strncmp(log.text[k], begin[k], strlen(begin[k])) != 0)
      fail_msg("expected \"%s\": %s", begin[k], log.text[k]);
  nsds_context_destroy(context);
}

/* Each fault is reported once, and a fault causes no others: not a model that several diodes use, a subcircuit that is
 * used twice, a parameter that others need, or a measure of an element that was refused. */
static void faults_are_listed(void **state) {
  (void)state;
  static const char *const words[] = {"bad.cir:3:8: ", "bad.cir:5:8: "};
  expect_errors("Words\nV1 a 0 1\nR1 a 0 {1\nR2 a 0 2\nR3 a 0 'x\n.tran 1u 1m\n", 2, words);
  static const char *const parameters[] = {"bad.cir:2:11: "};
  expect_errors("Parameters\n.param a={zz} b={2*a} c={a+b}\nR1 x 0 {c}\nV1 x 0 1\n.tran 1u 1m\n", 1,
                parameters);
  static const char *const elements[] = {"bad.cir:5:21: ", "bad.cir:3:8: ", "bad.cir:9:4: "};
  expect_errors(
      "Elements\nV1 a 0 1\nR1 a b x\nD1 b 0 DI\n.model DI D(ideal=1 q=2)\nX1 b part\nX2 a part\n"
      ".subckt part p\nQ1 p 0 0\n.ends\nD2 a b DI\n.tran 1u 1m\n"
      ".print tran i(R1)\n.measure tran m mean i(R1)\n",
      3, elements);
  static const char *const beside[] = {
      "bad.cir:4:8: d1: there is no .model diod, did you mean \"diode\"?; there are diode",
      "bad.cir:10:15: .print: there is no node oot, did you mean \"out\"?; there are a, out, x, y",
      "bad.cir:10:27: .print: there is no element l9; there are v1, r1",
      "bad.cir:1:1: there is no .tran"};
  expect_errors("Beside\nV1 a 0 1\nR1 a out 1\nD1 x 0 DIOD\nX1 y part\n.model DIODE D(ideal=1)\n"
                ".subckt part p\nR1 p 0 1\n.ends\n"
                ".print tran v(oot) v(x) i(L9) i(D1) v(y)\n",
                4, beside);
  /* the title explains why something is missing */
  static const char *const title[] = {
      "bad.cir:3:9: {duty}: there is no parameter duty; there are none",
      "bad.cir:1:1: the first line is the title, so that \".param duty=0.5\" is not read"};
  expect_errors(".param duty=0.5\nV1 a 0 1\nR1 a 0 {duty}\n.tran 1u 1m\n", 2, title);
  static const char *const no_end[] = {
      "bad.cir:1:1: the first line is the title, so that \".tran 1u"};
  expect_errors(".tran 1u 1m\nV1 a 0 1\nR1 a 0 1\n", 1, no_end);
  static const char *const late[] = {
      "bad.cir:3:8: ", "bad.cir:8:6: x1: there is no subcircuit nothing",
      "bad.cir:6:8: f2: there is no element v9; there are v1, r1"};
  expect_errors("Late\nV1 a 0 1\nVx a 0 x\nR1 a 0 1\nF1 0 a Vx 1\nF2 0 a V9 1\nF3 0 a X1.V2 1\n"
                "X1 a nothing\n.tran 1u 1m\n",
                3, late);
  static const char *const outputs[] = {"bad.cir:5:15: ", "bad.cir:6:17: "};
  expect_errors(
      "Outputs\nV1 a 0 1\nR1 a 0 1\n.tran 1u 1m\n.print tran v(c)\n.measure tran m most v(a)\n", 2,
      outputs);
  char many[2000] = "Many\nV1 a 0 1\n";
  for (int k = 0; k < 40; ++k) strcat(many, "R a 0 x\n");
  expect_errors(many, 20, NULL);
}

/* Refused, with "bad.cir:LINE:COLUMN: ", a column within the line, and the words in the reason. */
static void expect_refusal(const char *netlist, const char *shown, int line, const char *words) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "bad.cir", .text = netlist, .kind = NSDS_JOB_CIRCUIT});
  if (job) fail_msg("accepted: %s", shown);
  const char *message = nsds_error_message(context);
  int found_line = 0, column = 0, used = 0;
  if (sscanf(message, "bad.cir:%d:%d: %n", &found_line, &column, &used) != 2 || used == 0 ||
      column < 1)
    fail_msg("%s\n  has no place: %s", shown, message);
  if (line > 0 && found_line != line)
    fail_msg("%s\n  is in line %d, not in %d: %s", shown, line, found_line, message);
  if (strlen(message + used) < 10 || (words && !strstr(message + used, words)))
    fail_msg("%s\n  expected \"%s\": %s", shown, words ? words : "a reason", message);
  nsds_context_destroy(context);
  ++refusals;
}

static void refuse(int line, const char *text, int where, const char *words) {
  char *netlist = netlist_with(line, text);
  expect_refusal(netlist, text, where, words);
  free(netlist);
}

/* A line, what takes its place, the line of the message (0: the same), a part of the reason. */
static const struct {
  int line;
  const char *text;
  int where;
  const char *words;
} table[] = {
    {2, ".param duty", 0, "give duty = value"},
    {2, ".param duty=", 0, "give duty = value"},
    {2, ".param =0.5", 0, "is no name"},
    {2, ".param 1a=0.5", 0, "is no name"},
    {2, ".param duty=0.5 duty=0.6 period=10u width=5u", 0, "stands twice"},
    {2, ".param duty={x} period=1u width=1u", 0,
     "{x}: there is no parameter x; there are duty, period, width"},
    {2, ".param duty=0.5 period={10u} width={dutty*period}", 0,
     "{dutty*period}: there is no parameter dutty, did you mean \"duty\"?; there are duty, period, "
     "width"},
    {2, ".param duty={width} period={10u} width={duty*period}", 0, "needs itself"},
    {2, ".param duty={1/0} period={10u} width={5u}", 0, "not finite"},
    {2, ".param duty={(1} period=10u width=5u", 0, "the bracket \"(\" has no partner"},
    {2, ".param duty={1+} period=10u width=5u", 0, "ends too early"},
    {2, ".param duty={1 2} period=10u width=5u", 0, "should end here"},
    {2, ".param duty={sqrt(1,2)} period=10u width=5u", 0, "one argument"},
    {2, ".param duty={min(1)} period=10u width=5u", 0, "two arguments"},
    {2, ".param duty={foo(1)} period=10u width=5u", 0,
     "{foo(1)}: there is no function \"foo\"; there are sin, cos, "},
    {2, ".param duty={sqr(1)} period=10u width=5u", 0, "did you mean \"sqrt\"?"},
    {2, ".param duty={1 ? 2} period=10u width=5u", 0, "a \":\" is missing behind \"?\""},
    {2, ".param duty={1 period=10u width=5u", 0, "is not closed"},
    {2, ".param duty='1 period=10u width=5u", 0, "is not closed"},
    {2, ".param duty={sqrt(-1)} period=10u width=5u", 0, "not finite"},
    {2, ".param duty={*2} period=10u width=5u", 0, "should be here"},
    {3, "Vin in 0", 0, "give a value"},
    {3, "Vin in", 0, "a node should be here"},
    {3, "Vin", 0, "a node should be here"},
    {3, "Vin in 0 DC", 0, "is missing"},
    {3, "Vin in 0 24 EXP(0 1)", 0, "known waveforms"},
    {3, "Vin in 0 abc", 0, "no number and no parameter"},
    {3, "Vin in 0 24k5", 0, "no number and no parameter"},
    {3, "Vin in 0 1e999", 0, "no number and no parameter"},
    {3, "Vin in in 24", 0, "both ends"},
    {3, "Vin in 0 1e31", 0, "at most 1e+30"},
    {3, "Vin in 0 {1e300*10}", 0, "at most 1e+30"},
    {4, "Vs s 0 SIN(0)", 0, "too few numbers"},
    {4, "Vs s 0 SIN(0 1 2 3 4 5 6)", 0, "too many numbers"},
    {4, "Vs s 0 SIN(0 10 -50)", 0, "SIN: the frequency is -50, must be >= 0"},
    {4, "Vs s 0 SIN(0 10 50", 0, "not closed"},
    {4, "Vs s 0 SIN(0 10 50) SIN(0 10 50)", 0, "one waveform"},
    {5, "Vp g 0 PULSE(0)", 0, "too few numbers"},
    {5, "Vp g 0 PULSE(0 1 0 0 0 1 2 3 4)", 0, "too many numbers"},
    {5, "Vp g 0 PULSE(0 1 0 -1)", 0, "PULSE: the rise is -1, must be >= 0"},
    {6, "Vw w 0 PWL(0 0 1m)", 0, "pairs"},
    {6, "Vw w 0 PWL()", 0, "pairs"},
    {6, "Vw w 0 PWL(0 0 1m 1 0.9m 2)", 0, "must not decrease"},
    {6, "Vw w 0 PWL(0 0 1m 1", 0, "not closed"},
    {8, "R1 in a", 0, "the resistance is missing"},
    {8, "R1 in a -1", 0, "must be >= 0"},
    {8, "R1 in a 10 20", 0, "not expected here"},
    {8, "R1 in a {duty", 0, "is not closed"},
    {8, "R1 ( a 10", 0, "a node should be here"},
    {8, "Rin in a 10\nRin in a 10", 9, "there is an element"},
    {9, "C1 a 0 0", 0, "must be > 0"},
    {9, "C1 a 0 -1u", 0, "must be > 0"},
    {9, "C1 a 0 1u IC=", 0, "IC is missing"},
    {9, "C1 a 0 1u V0=1", 0, "not expected here"},
    {10, "L1 a b 0", 0, "must be > 0"},
    {10, "L1 a b 1m IC=x", 0, "no number and no parameter"},
    {12, "K1 L1 L2", 0, "the coupling is missing"},
    {12, "K1 L1 L2 1.1", 0, "k1: the coupling is 1.1, must be from -1 to 1"},
    {12, "K1 L1 L9 0.5", 0, "no element l9; there are vin, vs, "},
    {12, "K1 L1 R1 0.5", 0, "two inductors"},
    {12, "K1 L1 L1 0.5", 0, "to itself"},
    {12, "K1 L1", 0, "an element should be here"},
    {13, "E1 e 0 a 2", 0, "the gain is missing"},
    {13, "E1 e 0 POLY(1) a 0 0 1", 0, "not read"},
    {13, "E1 e 0 VALUE={1}", 0, "not read"},
    {14, "F1 0 c Vx 0.1", 0, "no element vx"},
    {14, "F1 0 c R1 0.1", 0, "must be that of a V, L, E or H"},
    {14, "F1 0 c Vin", 0, "the gain is missing"},
    {15, "G1 0 c a 0", 0, "the gain is missing"},
    {16, "H1 h 0 5 5", 0, "no element 5"},
    {17, "D1 b out", 0, "d1: give the name of a .model; there are di, ds, swi, wi"},
    {17, "D1 b out DX", 0, "no .model dx; there are di, ds, swi, wi"},
    {20, "S2 out 0 SWO PULSE(0 1 0 0 0 5u 10u)", 0, "no .model swo, did you mean \"swi\"?"},
    {17, "D1 b out SWI", 0, "of another kind"},
    {18, "D2 c 0 DS 0", 0, "must be > 0"},
    {18, "D2 c 0 DS 1 2", 0, "not expected here"},
    {19, "S1 out 0 g 0", 0, "the name of a .model"},
    {19, "S1 out 0 g 0 DI", 0, "of another kind"},
    {19, "S1 out 0 g 0 WI", 0, "a CSW is for W"},
    {19, "S1 out 0 g 0 SWI MAYBE", 0, "not expected here"},
    {20, "S2 out 0 SWI PULSE(0)", 0, "too few numbers"},
    {21, "W1 out 0 R1 WI", 0, "must be that of a V, L, E or H"},
    {21, "W1 out 0 Vin", 0, "the name of a .model"},
    {22, "T1 out 0 t 0", 0, "the ratio is missing"},
    {22, "T1 out 0 t 0 N=0", 0, "must be > 0"},
    {22, "T1 out 0 t 0 Z0=50 TD=1n", 0, "lines are not read"},
    {23, "X1 t 0 nothing", 0, "no subcircuit nothing; there are load"},
    {23, "X1 t 0 laod", 0, "no subcircuit laod, did you mean \"load\"?; there are load"},
    {23, "X1 t load", 0, "1 nodes; load has 2"},
    {23, "X1 t 0 0 load", 0, "3 nodes; load has 2"},
    {23, "X1", 0, "give nodes"},
    {23, "X1 t 0 load q=3", 0, "load has no parameter q; there are r"},
    {23, "X1 t 0 load r", 0, "no subcircuit r; there are load"},
    {24, ".model DI", 0, "a name and a type"},
    {24, ".model", 0, "a name and a type"},
    {24, ".model DI NPN(bf=100)", 0, "known types are"},
    {24, ".model DI D(ideal=2)", 0, "0 or 1"},
    {24, ".model DI D(ideal=1 xyz=3)", 0, "known are"},
    {24, ".model DI D(ideal=1 vf=-1)", 0, "must be >= 0"},
    {24, ".model DI D(ideal=1", 0, "not closed"},
    {24, ".model DI D(ideal)", 0, "name = value"},
    {24, ".model DI D(ideal=1) more", 0, "not expected here"},
    {25, ".model DS D(is=0)", 0, "is is 0, must be > 0"},
    {25, ".model DS D(n=-1)", 0, "must be > 0"},
    {25, ".model DS D(rs=-1)", 0, "must be >= 0"},
    {26, ".model SWI SW(vh=-1)", 0, "must be >= 0"},
    {26, ".model SWI SW(roff=0)", 0, "must be > 0"},
    {26, ".model SWI SW(vf=1)", 0, "known are"},
    {26, ".model SWI TRANSISTOR(is=1)", 0, "known are ideal, vt, vh, ron, roff, vf and rd"},
    {28, ".subckt load", 0, "no nodes"},
    {28, ".subckt load p n\nR1 p n 1\n.ends\n.subckt load p n params: r=10", 31,
     "there is a subcircuit load already in line 28"},
    {28, ".subckt", 0, "a name and nodes"},
    {28, ".subckt load p p", 0, "stands twice"},
    {28, ".subckt load p n params: r=1 a={b} b={a}", 0, "needs itself"},
    {28, ".subckt load p n params: r=1 a={a}", 0, "needs itself"},
    {28, ".subckt load p n params: r", 0, "name = value"},
    {28, ".subckt load ( n", 0, "a node should be here"},
    {28, ".param other=1", 30, "no .subckt"},
    {29, ".tran 1u 1m", 0, "within a subcircuit"},
    {29, "R1 p n {s}", 0, "there is no parameter s; there are r, duty, period, width"},
    {30, "* nothing ends it", 28, "is not ended"},
    {30, ".ends other", 0, "is not the open subcircuit"},
    {31, ".options gmin", 0, "needs = and a value"},
    {31, ".options gmin=-1", 0, "must be >= 0"},
    {31, ".options temp", 0, "needs = and a value"},
    {31, ".options events=2", 0, "EVENTS is 2, must be 0 or 1"},
    {31, ".options temp=-300", 0, "TEMP is -300, must be above -273.15"},
    {31, ".optoins gmin=1n", 0,
     "no such directive, did you mean \".options\"?; known are .param, "},
    {31, ".ac dec 10 1 1k", 0, "no analysis but .tran"},
    {32, ".ic v(nowhere)=1", 0, "no node nowhere; there are in, s, g, w, a, b, c, e, out, t, h"},
    {32, ".ic v(0)=1", 0, "the ground"},
    {32, ".ic v(a)", 0, "give v(node)=value"},
    {32, ".ic i(L1)=1", 0, "give v(node)=value"},
    {33, ".tran", 0, "TSTEP is missing"},
    {33, ".tran 0", 0, "must be > 0"},
    {10, "L1 a b IC=0", 0, "the inductance is missing before IC"},
    {9, "C1 a 1u IC=0", 0, "the capacitance is missing before IC"},
    {33, ".tran -1u 1m", 0, "must be > 0"},
    {33, ".tran 1u 1m\n.step param duty 0.1 0.9 0.1", 34, "nsds sweep"},
    {33, ".tran 1u 1m\n.lib models.txt", 34, ".include"},
    {33, ".tran 1u 1m\n.temp -300", 34, "above -273.15"},
    {33, ".tran 1u -1m", 0, "TSTOP is -0.001, must be > 0"},
    {33, ".tran 1u 1m 0 -1u", 0, "TMAX is -1e-06, must be > 0"},
    {33, ".tran 1u 1m 2m", 0, "below TSTOP"},
    {33, ".tran 1u 1m 0 1u now", 0, "not expected here"},
    {33, ".tran 1p 1000", 0, "50 million"},
    {33, ".tran 1m 1000 0 1n", 0, "steps"},
    {33, "* no analysis", 1, "no .tran"},
    {33, ".tran 1u 1m\n.tran 1u 1m", 34, "a .tran already"},
    {34, ".print tran v(nowhere)", 0, "no node nowhere"},
    {34, ".print tran v(oot)", 0, "no node oot, did you mean \"out\"?; there are in, "},
    {34, ".print tran i(nothing)", 0, "no element nothing"},
    {34, ".print tran v(out", 0, ") is missing"},
    {34, ".print tran q(out)", 0, "should be here"},
    {34, ".print tran out", 0, "should be here"},
    {35, ".measure", 0, "give tran"},
    {35, ".measure tran vout", 0, "known kinds"},
    {35, ".measure tran vout median v(out)", 0, "known kinds"},
    {35, ".measure tran vout mean", 0, "should be here"},
    {35, ".measure tran vout mean v(x)", 0, "no node x"},
    {35, ".measure tran vout mean v(out) from=2 to=1", 0,
     "FROM is 2 and TO 1; FROM must lie before TO"},
    {35, ".measure tran vout mean v(out) at=1", 0, "should be here"},
    {35, ".measure tran a mean v(a)\n.measure tran a rms v(a)", 36, "of this name already"},
    {36, "Q1 e 0 0 npn", 0, "no such element"},
    {36, "(R1) e 0 1k", 0, "should be here"},
    {36, ".include", 0, "give one file name"},
    {36, ".include there_is_no_file.cir", 0, "cannot be read"},
    {36, ".control", 38, "not ended by .endc"},
    {36, "Re e 0 \"1k", 0, "is not closed"},
    {36, "Re e\x01 0 1k", 0, "control character"},
    {36, "V9 e 0 3", 0, "a loop of voltage sources"},
    {36, "I9 0 iso 1", 0, "current sources alone"},
};

static void the_good_one(void **state) {
  (void)state;
  char *netlist = netlist_with(0, NULL);
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = job_of(context, netlist);
  assert_string_equal(nsds_job_title(job), good[0]);
  job_to_the_end(context, job);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  free(netlist);
}

static void one_by_one(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k)
    refuse(table[k].line, table[k].text, table[k].where ? table[k].where : table[k].line,
           table[k].words);
}

/* Each line that is no comment with a bracket or a quote that nothing closes, and with a word too many. */
static void by_rule(void **state) {
  (void)state;
  static const struct {
    const char *ending, *words;
  } rule[] = {{" {", "is not closed"},
              {" 'x", "is not closed"},
              {" \"x", "is not closed"},
              {" \x07", "control"}};
  for (int line = 2; line <= line_count; ++line)
    for (size_t r = 0; r < sizeof rule / sizeof *rule; ++r) {
      char text[256];
      snprintf(text, sizeof text, "%s%s", good[line - 1], rule[r].ending);
      refuse(line, text, line, rule[r].words);
    }
  for (int line = 3; line <= 23; ++line) { /* elements */
    char text[256];
    snprintf(text, sizeof text, "%s = (", good[line - 1]);
    refuse(line, text, line, NULL);
    snprintf(text, sizeof text, "%c", good[line - 1][0]);
    refuse(line, text, line, NULL);
  }
}

/* What a file of its own depth or length does. */
static void beyond_bounds(void **state) {
  (void)state;
  size_t room = 4000000, used;
  char *text = malloc(room);
  assert_non_null(text);
  used = (size_t)sprintf(text, "Deep brackets\n.param x={");
  for (int k = 0; k < 100000; ++k) text[used++] = '(';
  sprintf(text + used, "}\n");
  expect_refusal(text, "deep brackets", 2, "nested too deeply");
  used = (size_t)sprintf(text, "Long word\nR1 a 0 ");
  for (int k = 0; k < 5000; ++k) text[used++] = '1';
  sprintf(text + used, "\n");
  expect_refusal(text, "long word", 2, "letters");
  used = (size_t)sprintf(text, "Many words\nR1 a 0 1");
  for (int k = 0; k < 30000; ++k) used += (size_t)sprintf(text + used, "\n+ 1");
  expect_refusal(text, "many words", 0, "words");
  used = (size_t)sprintf(text, "Within itself\n.subckt a p\nX1 p a\n.ends\nX1 p a\n.tran 1u 1m\n");
  expect_refusal(text, "within itself", 3, "contain itself");
  used = (size_t)sprintf(text, "Levels\n");
  for (int k = 0; k < 40; ++k) used += (size_t)sprintf(text + used, ".subckt s%d p\n", k);
  expect_refusal(text, "levels", 34, "levels");
  used = (size_t)sprintf(text, "Doubling\n.subckt a0 p\n.ends\n");
  for (int k = 1; k < 30; ++k)
    used +=
        (size_t)sprintf(text + used, ".subckt a%d p\nX1 p a%d\nX2 p a%d\n.ends\n", k, k - 1, k - 1);
  sprintf(text + used, "X1 p a29\n.tran 1u 1m\n");
  expect_refusal(text, "doubling", 0, "too many subcircuits");
  used = (size_t)sprintf(text, "Chain\n");
  for (int k = 0; k < 100; ++k)
    used += (size_t)sprintf(text + used, ".param a%d={a%d}\n", k, k + 1);
  sprintf(text + used, ".param a100=1\nR1 a 0 1\n.tran 1u 1m\n");
  expect_refusal(text, "chain", 0, "need each other");
  free(text);
}

static void there_were_enough(void **state) {
  (void)state;
  print_message("%d netlists refused\n", refusals);
  assert_true(refusals >= 300);
}

/* Letters behind a number that are neither a suffix nor begin with one or with a unit are warned about. */
static void letters_behind_numbers(void **state) {
  (void)state;
  static const struct {
    const char *number, *words; /* NULL: no warning */
  } letters[] = {{"100x", "100x is read as 100: x is no suffix; known are T G MEG"},
                 {"1e", "1e is read as 1: e is no suffix"},
                 {"1.5e3q", "1.5e3q is read as 1500: q is no suffix"},
                 {"50%", "50% is read as 50: % is no suffix"},
                 {"5A", "5a is read as 5e-18: a is the suffix of 1e-18"},
                 {"{2*3y}", "3y is read as 3: y is no suffix"},
                 {"10uF", NULL},
                 {"1kOhm", NULL},
                 {"5V", NULL},
                 {"1e3", NULL},
                 {"3mil", NULL},
                 {"2MEGohms", NULL},
                 {"5Amp", "5amp is read as 5e-18: a is the suffix of 1e-18"},
                 {"5aF", NULL},
                 {"1Henry", NULL},
                 {"50Hz", NULL},
                 {"10deg", NULL},
                 {"{2*3k}", NULL}};
  for (size_t k = 0; k < sizeof letters / sizeof *letters; ++k) {
    char text[200];
    snprintf(text, sizeof text, "Letters\nV1 a 0 1\nR1 a b %s\nR2 b 0 1\n.tran 1u 2u\n",
             letters[k].number);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = job_of(context, text);
    int count = nsds_job_warning_count(job);
    if (count != (letters[k].words != NULL)) fail_msg("%s: %d warnings", letters[k].number, count);
    if (count == 1 && !strstr(nsds_job_warning(job, 0), letters[k].words))
      fail_msg("%s: %s", letters[k].number, nsds_job_warning(job, 0));
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

/* ---- messages of no other test ---- */

typedef enum outcome { REFUSED, WARNED, ENDS } outcome;

/* A netlist and what it says when it is read, beside its answer, or when it runs. */
static const struct {
  const char *text;
  outcome outcome;
  const char *words;
  const char *name, *value; /* a setting */
} told[] = {
    {"T\n.tran 1u 1m\n", REFUSED, "bad.cir:1:1: there are no elements", NULL, NULL},
    {"T\n.param r=1\nR1 a 0 {r}\nV1 a 0 1\n.tran 1u 1m\n", REFUSED,
     "bad.cir:2:10: .param r is set to \"large\", which is no number", "r", "large"},
    {"T\n.param r=1\nR1 a 0 {r}\nV1 a 0 1\n.tran 1u 2u\n", WARNED,
     "bad.cir:2:10: 100x is read as 100: x is no suffix", "r", "100x"},
    {"T\nR1 a 0 5\nV1 a 0 1\n.tran 1u 1m\n", REFUSED,
     "bad.cir: r1 is an element and no parameter; write its value as {p_r1}, add .param p_r1=7",
     "R1", "7"},
    {"T\nR1 a 0 5\nV1 a 0 1\n.tran 1u 1m\n", REFUSED,
     "there is no .param x, which is to be set; the file has no .param", "x", "7"},
    {"T\n.param duty=1\nR1 a 0 {duty}\nV1 a 0 1\n.tran 1u 1m\n", REFUSED,
     "there is no .param dutty, which is to be set, did you mean \"duty\"?; the parameters are "
     "duty",
     "dutty", "7"},
    {"T\n+ R1 a 0 5\n", REFUSED, "bad.cir:2:1: + goes on with a card, but there is none before it",
     NULL, NULL},
    {"T\n.include malformed_zero.cir\n", REFUSED, "malformed_zero.cir has a zero byte", NULL, NULL},
    {"T\n.include malformed_self.cir\n", REFUSED, "more than 16 files include each other", NULL,
     NULL},
    {"T\nR1 a 0 5\nV1 a 0 1\n.tran 1m\n", WARNED, "without TSTEP the table has 1000 rows", NULL,
     NULL},
    {"T\nR1 a 0 5\nV1 a 0 1\n.op\n.tran 1u 2u\n", WARNED, "bad.cir:4:1: .op is not used", NULL,
     NULL},
    {"T\nR1 a b 5\nD1 b 0 DS\nV1 a 0 1\n.model DS D(cjo=1p)\n.tran 1u 2u\n", WARNED,
     "bad.cir:5:13: .model: cjo is not used", NULL, NULL},
    {"T\nI1 a 0 -1\nD1 0 a DI\n.model DI D(ideal=1)\n.tran 1u 1m\n", REFUSED,
     "i1: its current has no way out of node a but diodes that block it", NULL, NULL},
    {"T\nI1 0 a 1\nD1 0 a DI\n.model DI D(ideal=1)\n.tran 1u 1m\n", REFUSED,
     "i1: its current has no way into node 0 but diodes that block it", NULL, NULL},
    {"T\nV1 a 0 1\nD1 a 0 DI\n.model DI D(ideal=1)\n.tran 1u 1m\n", REFUSED,
     "sources and ideal diodes in a loop, whose current has no bound at t = 0 s", NULL, NULL},
    {"T\nV1 a 0 1\nR1 a b 1\nL1 b c 1m IC=1\nL2 c 0 1m IC=0\n.tran 1u 2u uic\n", WARNED,
     "the inductors and current sources at node b start with currents whose sum is", NULL, NULL},
    {"T\nI1 0 a 1\nS1 a 0 SI PULSE(1 0 10u)\n.model SI SW(ideal=1 vt=0.5)\n.tran 1u 20u\n", ENDS,
     "node a comes to 1e+09 V, since a current has no way but open elements", NULL, NULL},
};

static void write_bytes(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fwrite(bytes, 1, size, file);
  fclose(file);
}

static void other_messages(void **state) {
  (void)state;
  static const char itself[] = ".include malformed_self.cir\n";
  write_bytes("malformed_zero.cir", "R1 a 0 1\n\0\n", 11);
  write_bytes("malformed_self.cir", itself, sizeof itself - 1);
  for (size_t k = 0; k < sizeof told / sizeof *told; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = nsds_job_create(
        context, &(nsds_job_def){.file = "bad.cir",
                                 .text = told[k].text,
                                 .kind = NSDS_JOB_CIRCUIT,
                                 .nsettings = told[k].name != NULL,
                                 .settings = &(nsds_job_setting){told[k].name, told[k].value}});
    bool read = told[k].outcome != REFUSED;
    if (read != (job != NULL)) fail_msg("%s: %s", told[k].text, nsds_error_message(context));
    nsds_status status = NSDS_OK;
    while (told[k].outcome == ENDS && status == NSDS_OK) status = nsds_job_step(job);
    const char *said = told[k].outcome == WARNED && nsds_job_warning_count(job) > 0
                           ? nsds_job_warning(job, 0)
                           : nsds_error_message(context);
    if (!strstr(said, told[k].words))
      fail_msg("%s: expected \"%s\": %s", told[k].text, told[k].words, said);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
  nsds_context *context = nsds_context_create(NULL);
  assert_null(nsds_job_create(context, &(nsds_job_def){.file = "malformed_zero.cir"}));
  assert_string_equal(nsds_error_message(context),
                      "malformed_zero.cir: has a zero byte, so it is no text");
  nsds_context_destroy(context);
  remove("malformed_zero.cir");
  remove("malformed_self.cir");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_good_one),
                                     cmocka_unit_test(one_by_one),
                                     cmocka_unit_test(by_rule),
                                     cmocka_unit_test(beyond_bounds),
                                     cmocka_unit_test(there_were_enough),
                                     cmocka_unit_test(faults_are_listed),
                                     cmocka_unit_test(letters_behind_numbers),
                                     cmocka_unit_test(other_messages)};
  return cmocka_run_group_tests_name("run.malformed", tests, NULL, NULL);
}
