/*
 * Malformed model files: each is refused with file, line and column, and words about what is wrong and what would
 * be valid. Mutations of good files come from a table, and from each key of the examples.
 */
#include "run_test.h"

enum { MECHANICS, CIRCUIT, BODIES, CONTROL, BASES };

static const char *const base[BASES] = {
    [MECHANICS] = "nsds: 1\n"
                  "name: ball\n"
                  "parameters:\n"
                  "  g: 9.81\n"
                  "  m: 2\n"
                  "systems:\n"
                  "  ball:\n"
                  "    type: lagrangian_linear\n"
                  "    q0: [1, 0]\n"
                  "    mass: [[m, 0], [0, m]]\n"
                  "    stiffness: {diagonal: [0, 3]}\n"
                  "    damping: {entries: [[1, 2, 0.1]]}\n"
                  "    fext: [-m*g, 0]\n"
                  "relations:\n"
                  "  gap: {type: lagrangian_linear, H: [1, 0], b: -0.1}\n"
                  "laws:\n"
                  "  impact: {type: newton_impact, e: 0.5}\n"
                  "interactions:\n"
                  "  floor:\n"
                  "    systems: ball\n"
                  "    relation: gap\n"
                  "    law: impact\n"
                  "simulation:\n"
                  "  type: time_stepping\n"
                  "  t1: 1\n"
                  "  h: 0.01\n"
                  "  second_order: {type: moreau_jean, theta: 0.5}\n"
                  "outputs:\n"
                  "  columns: [ball.q1, floor.lambda1]\n"
                  "  every: 2\n"
                  "measures:\n"
                  "  top: {kind: max, of: ball.q1, from: 0.1, to: 0.5}\n",
    [CIRCUIT] =
        "nsds: 1\n"
        "parameters: {R: 10, C: 1e-3}\n"
        "systems:\n"
        "  rc:\n"
        "    type: first_order\n"
        "    x0: [1]\n"
        "    f: [-x1/(R*C) + u]\n"
        "    jac_f_x: [[-1/(R*C)]]\n"
        "    z: {u: 0}\n"
        "interactions:\n"
        "  diode:\n"
        "    systems: [rc]\n"
        "    relation:\n"
        "      type: first_order\n"
        "      output: [x1 + lambda1]\n"
        "      input: [lambda1]\n"
        "    law: {type: relay, lower: [0], upper: [inf]}\n"
        "simulation: {type: time_stepping, t1: 0.1, h: 1e-3}\n"
        "samplers:\n"
        "  control: {type: pid, period: 0.01, setpoint: 1, measured: rc.x1, kp: 2, output: rc.u}\n"
        "events:\n"
        "  - {time: 0.05, set: {rc.u: 3}}\n",
    [BODIES] = "nsds: 1\n"
               "systems:\n"
               "  rod:\n"
               "    type: rigid_body\n"
               "    repeat: 2\n"
               "    mass: 1\n"
               "    inertia: {diagonal: [1, 1, 1]}\n"
               "    q0: [i, 0, 1, 1, 0, 0, 0]\n"
               "    gravity: [0, 0, -9.81]\n"
               "    shapes:\n"
               "      - {type: sphere, radius: 0.1, position: [0, 0, 0.1]}\n"
               "interactions:\n"
               "  hinge:\n"
               "    systems: [\"rod[1]\", \"rod[0]\"]\n"
               "    relation: {type: hinge, point: [0.5, 0, 1], axis: [0, 1, 0]}\n"
               "contacts:\n"
               "  ground:\n"
               "    type: shapes\n"
               "    materials: [{mu: 0.5}]\n"
               "    scenery: [{type: half_space, normal: [0, 0, 1]}]\n"
               "simulation:\n"
               "  type: event_driven\n"
               "  t1: 1\n"
               "  output_period: 0.1\n",
    [CONTROL] = "nsds: 1\n"
                "systems:\n"
                "  arm:\n"
                "    type: lagrangian\n"
                "    ndof: 2\n"
                "    mass: [[2, cos(q2)], [cos(q2), 1]]\n"
                "    fint: [v1, sin(q2)]\n"
                "    fext: [sin(t), z1]\n"
                "    z: [0]\n"
                "    prescribed: [2]\n"
                "    prescribed_velocity: [cos(t)]\n"
                "interactions:\n"
                "  stop:\n"
                "    systems: arm\n"
                "    relation:\n"
                "      type: lagrangian\n"
                "      output: [\"1 - hypot(q1, q2)\"]\n"
                "    law: {type: newton_impact}\n"
                "simulation: {type: time_stepping, t1: 1, h: 0.01}\n"
                "samplers:\n"
                "  step: {type: set, period: 0.1, set: {arm.z1: arm.v1 + 1}}\n"
                "  pulse: {type: pwm, period: 0.1, duty: 0.5, output: arm.z1}\n"};

typedef struct mutation {
  int base;
  const char *find, *replace;
  const char *words; /* that the message has */
  int below;         /* lines that the place is below the start of what was replaced */
} mutation;

static const mutation mutations[] = {
    /* objects that do not fit */
    {MECHANICS, "gap: {type: lagrangian_linear, H: [1, 0], b: -0.1}",
     "gap: {type: first_order_linear, C: 1, B: 1}",
     "the relation of type first_order_linear takes first-order systems; ball is of second order",
     5},
    {MECHANICS, "gap: {type: lagrangian_linear, H: [1, 0], b: -0.1}",
     "gap: {type: hinge, axis: [0, 1, 0]}",
     "the relation of type hinge takes rigid bodies; ball is a system of type lagrangian_linear",
     5},
    {MECHANICS, "lagrangian_linear, H: [1, 0], b: -0.1",
     "coordinate_spring, coordinates: [1, 2], stiffness: 1",
     "coordinates has 2 entries; it needs 1, one for each system", 0},
    {MECHANICS, "lagrangian_linear, H: [1, 0], b: -0.1",
     "coordinate_spring, coordinates: 1.5, stiffness: 1",
     "coordinates is 1.5; valid are whole numbers from 1 on", 0},
    {MECHANICS, "H: [1, 0]", "H: {entries: [[1, 1, 1]]}", "the size of y is not known; say ny", 0},
    {MECHANICS, "systems: ball",
     "systems: abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnop",
     "a name has at most 60 characters", 0},
    {MECHANICS, "systems: ball", "systems: [[ball]]", "systems is a list; valid is a list of names",
     0},
    {MECHANICS, "columns: [ball.q1, floor.lambda1]", "columns: [[a]]",
     "columns is a list; valid is a quantity, or a map of name, value and unit", 0},
    {MECHANICS, "[[m, 0], [0, m]]", "[{a: 1}, [0, m]]", "mass is a map; valid is a list of rows",
     0},
    {MECHANICS, "[[m, 0], [0, m]]", "[[{a: 1}, 0], [0, m]]",
     "mass is a map; valid is a list of numbers as a row", 0},
    {MECHANICS, "entries: [[1, 2, 0.1]]", "entries: [[1, 2, [3]]]",
     "a number is expected here, not a list", 0},
    {MECHANICS, "q0: [1, 0]", "q0: {file: test_none.txt}", "test_none.txt cannot be read", 0},
    {MECHANICS, "q0: [1, 0]", "q0: [1, 0]\n    z: 3",
     "z is a scalar; valid is a map of names to numbers", 1},
    {MECHANICS, "type: lagrangian_linear\n", "type: lagrangian_linear\n    ndof: 2000000\n",
     "ndof is 2000000; the most are 20000", 1},
    {BODIES, "[\"rod[1]\", \"rod[0]\"]", "[\"rod[1]\", \"rod[0]\", \"rod[1]\"]",
     "type hinge takes at most 2 systems; there are 3", -1},
    {CONTROL, "    prescribed: [2]\n    prescribed_velocity: [cos(t)]\n",
     "    prescribed_velocity: []\n", "prescribed_velocity needs the key prescribed", 0},
    {CONTROL, "    z: [0]\n", "    z: [0]\n    where: {q1: 1}\n",
     "\"q1\" is not free as a name; expressions use it", 1},
    {BODIES, "  output_period: 0.1\n",
     "  output_period: 0.1\noutputs: {columns: [hinge.angle, hinge.velocity]}\n",
     "hinge.angle, hinge.angular_velocity", 1},
    {BODIES, "{type: hinge, point: [0.5, 0, 1], axis: [0, 1, 0]}",
     "{type: gear, axis: [0, 1, 0], teeth: [10, 1.5]}",
     "teeth is 1.5; valid are whole numbers from 1 on", 0},
    {BODIES,
     "[\"rod[1]\", \"rod[0]\"]\n    relation: {type: hinge, point: [0.5, 0, 1], axis: [0, 1, 0]}",
     "[\"rod[1]\", \"rod[0]\", \"rod[1]\"]\n    relation: {type: spring, stiffness: 1}",
     "type spring takes at most 2 systems; there are 3", 0},
    {BODIES,
     "[\"rod[1]\", \"rod[0]\"]\n    relation: {type: hinge, point: [0.5, 0, 1], axis: [0, 1, 0]}",
     "[\"rod[1]\", \"rod[0]\", \"rod[1]\"]\n    relation: {type: joint_coordinate, coordinate: "
     "angle, "
     "axis: [0, 1, 0]}",
     "type joint_coordinate takes at most 2 systems; there are 3", 0},
    {BODIES, "{type: half_space, normal: [0, 0, 1]}",
     "{type: triangles, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces: [[0, 1, 3]]}",
     "a face has the point 3; valid are 0 to 2", 0},
    {BODIES, "{type: half_space, normal: [0, 0, 1]}",
     "{type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces: [[0, 1, 2]], parts: [1]}",
     "a face has the part 1; valid are 0 to 0", 0},
    {CONTROL, "    z: [0]\n", "    z: [0]\n    where: [1]\n",
     "where is a list; valid is a map of at most 60 names to expressions", 1},
    {CONTROL, "mass: [[2, cos(q2)], [cos(q2), 1]]", "mass: {entries: [[1, 1, [q1]], [2, 2, 1]]}",
     "an expression is expected here", 0},
    {CONTROL, "fext: [sin(t), z1]", "fext: {file: /dev/null}", "has no table of numbers", 0},
    {CONTROL, "law: {type: newton_impact}", "law: [a]", "a law is a map of keys, not a list", 0},
    {CIRCUIT, "{type: relay, lower: [0], upper: [inf]}",
     "{type: normal_cone, H: {entries: [[1, 1, 1]]}, K: [0]}",
     "H: the size of the matrix is not known; say it, or write rows", 0},
    {MECHANICS, "  h: 0.01", "  h: inf", "h is inf; it has to be finite", 0},
    {BODIES, "materials: [{mu: 0.5}]\n    scenery: [{type: half_space, normal: [0, 0, 1]}]",
     "dimension: 2\n    bodies: rod\n    materials: [{mu: 0.5}]",
     "the contact set has bodies of type rigid_body_2d; rod[0] is of type rigid_body", -1},
    {BODIES,
     "type: shapes\n    materials: [{mu: 0.5}]\n    scenery: [{type: half_space, normal: [0, 0, "
     "1]}]",
     "type: spheres\n    bodies: rod\n    radius: [1, 2, 3]\n    law: {type: "
     "newton_impact_friction, mu: "
     "0.5}",
     "radius has 3 entries; valid are 1 and the number of bodies, 2", -1},
    /* YAML */
    {MECHANICS, "name: ball", "name: [ball", "this is not YAML", -1},
    {MECHANICS, "name: ball", "name: \"ball", "this is not YAML", -1},
    {MECHANICS, "  g: 9.81", "\tg: 9.81", "the line begins with a tab, indent with blanks", -1},
    {MECHANICS, "name: ball", "name: !!str ball", "no tags", 0},
    {MECHANICS, "name: ball", "name: *ball", "the alias \"*ball\" has no anchor", 0},
    {MECHANICS, "name: ball", "name: ball\nname: box", "for the second time, after line 2", 1},
    {MECHANICS, "  g: 9.81", "  g: 9.81\n  g: 1", "the key \"g\" stands here for the second time",
     1},
    {MECHANICS, "name: ball", "[a]: ball", "a key has to be a word", 0},
    {MECHANICS, "measures:", "---\nmeasures:", "a second document begins here", 0},
    {MECHANICS, "name: ball", "name: \"a\\0b\"", "the character NUL", 0},
    {MECHANICS, "name: ball",
     "name: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
     "nested deeper than 40", 0},
    {MECHANICS, "name: ball", "name: {type: x", "this is not YAML", -1},
    {MECHANICS, "name: ball", "name: [ball[0]]",
     "; write a quantity with brackets in quotes here, as in [\"ball.q[0]\"]", -1},
    /* the file */
    {MECHANICS, "nsds: 1", "nsds: 2",
     "test.yaml:1:7: this file is of format 2; this version of nsds reads 1", 0},
    {MECHANICS, "nsds: 1", "nsds: one", "the name \"one\" is not known here", 0},
    {MECHANICS, "nsds: 1\n", "", "the file needs the key nsds", 0},
    {MECHANICS, "nsds: 1", "nsds: [1]", "nsds is a list; valid is a number", 0},
    {MECHANICS, "nsds: 1", "nsds: ", "nsds has no value", 0},
    {MECHANICS, "name: ball", "titel: ball",
     "a file has no key \"titel\"; valid are nsds, name, parameters, systems", 0},
    {MECHANICS, "name: ball", "name: {a: b}", "name is a map; valid is a text", 0},
    {MECHANICS, "simulation:\n", "simulations:\n",
     "has no key \"simulations\", did you mean \"simulation\"?", 0},
    {MECHANICS, "simulation:", "simulation: fast\nignored:", "a simulation is a map of keys", 0},
    {MECHANICS, "systems:\n  ball:", "systems: []\nmore:\n  ball:",
     "systems is a list; valid is a map of names to objects", 0},
    {MECHANICS, "interactions:", "interactions: 3\nmore:",
     "interactions is a scalar; valid is a map of names to objects", 0},
    /* parameters */
    {MECHANICS, "  g: 9.81", "  g: 9.81 m/s",
     "\"9.81 m/s\": the expression should end here; an operator is missing", 0},
    {MECHANICS, "  g: 9.81", "  g: m*2", "the name \"m\" is not known here; valid are numbers", 0},
    {MECHANICS, "  g: 9.81", "  g: [1]", "g is a list; valid is a number or an expression", 0},
    {MECHANICS, "  g: 9.81", "  g:", "g is empty; valid is a number or an expression", 0},
    {MECHANICS, "  g: 9.81", "  sin: 9.81", "\"sin\" is not free as the name of a parameter", 0},
    {MECHANICS, "  g: 9.81", "  t: 9.81", "\"t\" is not free", 0},
    {MECHANICS, "  g: 9.81", "  zero: 9.81", "\"zero\" is not free", 0},
    {MECHANICS, "  g: 9.81", "  q1: 9.81", "\"q1\" is not free", 0},
    {MECHANICS, "  g: 9.81", "  2g: 9.81", "\"2g\" is not a name; valid are letters", 0},
    {MECHANICS, "  g: 9.81", "  g: 1/0", "\"1/0\" has no finite value", 0},
    {MECHANICS, "  g: 9.81", "  g: inf", "the parameter g has to be finite", 0},
    {MECHANICS, "  g: 9.81", "  g: 9,81", "an expression has one value", 0},
    {MECHANICS, "  g: 9.81", "  g: (1", "the bracket \"(\" has no partner", 0},
    {MECHANICS, "  g: 9.81", "  g: 1)", "the bracket \")\" has no partner", 0},
    {MECHANICS, "  g: 9.81", "  g: g = 2", "the name \"g\" is not known here", 0},
    {MECHANICS, "  m: 2", "  m: 2 = g",
     "an expression cannot assign; equality is asked for by \"==\"", 0},
    {MECHANICS, "  g: 9.81", "  g: sinus(1)",
     "there is no function \"sinus\", did you mean \"sin\"?; there are sin, cos", 0},
    {MECHANICS, "  g: 9.81", "  g: sin", "the function sin is called as sin(...)", 0},
    {MECHANICS, "  g: 9.81", "  g: 1 $ 2", "the character \"$\" has no meaning in an expression",
     0},
    {MECHANICS, "  g: 9.81", "  g: 2x", "a number ends here; an operator is missing", 0},
    {MECHANICS, "  g: 9.81", "  g: 1 & 2", "logical operators are \"&&\" and \"||\"", 0},
    {MECHANICS, "  g: 9.81", "  g: \"!1\"", "\"!\" is not an operator; unequal is \"!=\"", 0},
    {MECHANICS, "  g: 9.81", "  g: \"atan2(1)\"", "the function atan2 takes two arguments, not 1",
     0},
    {MECHANICS, "parameters:\n  g: 9.81\n  m: 2\n", "parameters: [1]\n",
     "parameters is a list; valid is a map of names to numbers", 0},
    /* systems */
    {MECHANICS,
     "  ball:", "  the ball:", "\"the ball\" is not a name; valid are letters, digits and _", 0},
    {MECHANICS, "type: lagrangian_linear\n", "typ: lagrangian_linear\n",
     "a system needs the key type; valid are first_order_linear, first_order, lagrangian_linear",
     0},
    {MECHANICS, "type: lagrangian_linear\n", "type: lagrange\n",
     "there is no system of type \"lagrange\"; valid are", 0},
    {MECHANICS, "type: lagrangian_linear\n", "type: [lagrangian_linear]\n",
     "type is a list; valid are", 0},
    {MECHANICS, "type: lagrangian_linear\n", "type: first_order_linear\n",
     "a system of type first_order_linear has no key \"q0\"", 1},
    {MECHANICS, "    q0:", "    q:", "has no key \"q\"", 0},
    {MECHANICS, "    q0: [1, 0]", "    q0: [1, 0, 0]",
     "mass is 2 x 2 (rows x columns); it needs 3 x 3", 1},
    {MECHANICS, "    q0: [1, 0]", "    q0: [1, [0]]", "q0 is a list; valid is a list of numbers",
     0},
    {MECHANICS, "    q0: [1, 0]", "    q0: [1, x]",
     "the name \"x\" is not known here; valid are numbers, g, m", 0},
    {MECHANICS, "    q0: [1, 0]", "    q0: [1, inf]", "q0 has an entry that is not finite", 0},
    {MECHANICS, "    q0: [1, 0]", "    q0: {file: there_is_none.txt}", "the data file", 0},
    {MECHANICS, "    q0: [1, 0]", "    q0: {fil: x.txt}",
     "this map is none of the valid forms: {file: path}", 0},
    {MECHANICS, "    q0: [1, 0]", "    q0: {diagonal: [1, 2]}",
     "this map is none of the valid forms: {file: path}", 0},
    {MECHANICS, "    q0: [1, 0]", "    q0: ", "q0 has no value: Initial coordinates.", 0},
    {MECHANICS, "    mass: [[m, 0], [0, m]]\n", "",
     "the system of type lagrangian_linear needs the key mass", -1},
    {MECHANICS, "    mass: [[m, 0], [0, m]]", "    mass: [[m, 0], [0]]",
     "this row has 1 entries, the first row has 2", 0},
    {MECHANICS, "    mass: [[m, 0], [0, m]]", "    mass: [m, m]",
     "mass is a list of numbers; it needs a list of rows, 2 x 2", 0},
    {MECHANICS, "    mass: [[m, 0], [0, m]]", "    mass: [[m, 0], 3]", "a list of", 0},
    {MECHANICS, "    mass: [[m, 0], [0, m]]", "    mass: [[m, 0], [0, -m]]", "mass", -1},
    {MECHANICS, "    mass: [[m, 0], [0, m]]", "    mass: [[m, t], [0, m]]",
     "the name \"t\" is not known here", 0},
    {MECHANICS, "    mass: [[m, 0], [0, m]]", "    mass: {plugin: a.so, function: b}",
     "this map is none of the valid forms", 0},
    {MECHANICS, "{diagonal: [0, 3]}", "{diagonal: [0, 3, 4]}", "it needs 2 x 2", 0},
    {MECHANICS, "{diagonal: [0, 3]}", "{diagonal: 3}", "{diagonal: [...]}", 0},
    {MECHANICS, "[[1, 2, 0.1]]", "[[1, 3, 0.1]]", "a row or column is 3; valid are 1 to 2", 0},
    {MECHANICS, "[[1, 2, 0.1]]", "[[1, 2]]", "valid is an entry [row, column, value]", 0},
    {MECHANICS, "[[1, 2, 0.1]]", "[[1, 2, 0.1], [1, 2, 3]]",
     "row 1 and column 2 stands here for the second time", 0},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, q1]",
     "the name \"q1\" is not known here; valid are t", 0},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g]", "fext has 1 entry; it needs 2", 0},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: {plugin: none.so, function: f}",
     "test.yaml:13:20: ./none.so: cannot be loaded: cannot open", 0},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [max(t, 1), 0]",
     "fext has 3 entries; it needs 2; ndof is 2, from q0; an expression with a comma needs quotes",
     0},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [max(t, 1)]",
     "the bracket \"(\" has no partner; an expression with a comma needs quotes", 0},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: {plugin: none.so}",
     "{plugin: path, function: name}", 0},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, 0]\n    repeat: 0",
     "repeat is 0; valid are numbers in [1, 100000]", 1},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, 0]\n    repeat: 1.5",
     "repeat is 1.5; valid are whole numbers", 1},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, 0]\n    ndof: -1",
     "ndof is -1; valid are numbers >= 1", 1},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, 0]\n    ndof: 100000",
     "the most are 20000", 1},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, 0]\n    prescribed: [3]",
     "valid are 1 to 2, increasing", 1},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, 0]\n    prescribed: [1]",
     "needs prescribed_velocity", -1},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, 0]\n    prescribed_velocity: [1]",
     "prescribed_velocity", 1},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, 0]\n    z: {t2: x}",
     "the name \"x\" is not known here", 1},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, 0]\n    scheme: {type: euler_moreau}",
     "scheme", 1},
    {MECHANICS, "    fext: [-m*g, 0]",
     "    fext: [-m*g, 0]\n    scheme: {type: moreau_jean, theta: 2}",
     "theta is 2; valid are numbers in [0, 1]", 1},
    {MECHANICS, "    fext: [-m*g, 0]", "    fext: [-m*g, 0]\n    scheme: {type: moreau}",
     "there is no scheme of type \"moreau\"; valid are moreau_jean", 1},
    /* relations, laws, interactions */
    {MECHANICS, "H: [1, 0]", "H: [1]", "H is 1 x 1 (rows x columns); it needs 1 x 2", 0},
    {MECHANICS, "H: [1, 0]", "H: [[1, 0], [0, 1]]", "b has 1 entry; it needs 2", 0},
    {MECHANICS, "H: [1, 0], ", "", "the relation of type lagrangian_linear needs the key H", 0},
    {MECHANICS, "gap: {type: lagrangian_linear", "gap: {type: first_order_linear",
     "a relation of type first_order_linear has no key \"H\"", 0},
    {MECHANICS, "b: -0.1", "b: -0.1, D_in_y: maybe", "D_in_y is maybe; valid are true and false",
     0},
    {MECHANICS, "b: -0.1", "b: -0.1, D_in_y: yes", "D_in_y is yes; valid are true and false", 0},
    {MECHANICS, "e: 0.5", "e: 1.5", "e is 1.5; valid are numbers in [0, 1]", 0},
    {MECHANICS, "e: 0.5", "e: -1", "e is -1; valid are numbers in [0, 1]", 0},
    {MECHANICS, "e: 0.5", "ee: 0.5", "has no key \"ee\", did you mean \"e\"?", 0},
    {MECHANICS, "e: 0.5", "e: inf", "e is inf", 0},
    {MECHANICS, "type: newton_impact", "type: newton",
     "there is no law of type \"newton\"; valid are newton_impact, poisson_impact", 0},
    {MECHANICS, "type: newton_impact, e: 0.5", "type: relay, lower: [0], upper: [1, 2]",
     "upper has 2 entries and lower has 1", 0},
    {MECHANICS, "type: newton_impact, e: 0.5", "type: relay, lower: [2], upper: [1]", "upper", 0},
    {MECHANICS, "type: newton_impact, e: 0.5", "type: saturation, lower: [0], upper: [1], slope: 0",
     "slope is 0; valid are numbers > 0", 0},
    {MECHANICS, "type: newton_impact, e: 0.5", "type: newton_impact_friction, dimension: 4",
     "dimension is 4; valid are numbers in [2, 3]", 0},
    {MECHANICS, "type: newton_impact, e: 0.5", "type: newton_impact_friction, slip: [1, 2, 3]",
     "slip has 3 entries; valid are 1 to 2", 0},
    {MECHANICS, "type: newton_impact, e: 0.5", "type: normal_cone, H: [[1]], K: [1, 2]",
     "K has 2 entries; it needs 1", 0},
    {MECHANICS, "type: newton_impact, e: 0.5", "type: plugin, file: none.so, law: x",
     "cannot be loaded", 0},
    {MECHANICS, "    systems: ball\n    relation", "    systems: bal\n    relation",
     "there is no system \"bal\", did you mean \"ball\"?; there are ball", 0},
    {MECHANICS, "    systems: ball\n    relation", "    systems: []\n    relation",
     "systems is a list; valid is a name or a list of names", 0},
    {MECHANICS, "    systems: ball\n    relation", "    systems: [ball, ball]\n    relation", "H",
     -1},
    {MECHANICS, "    systems: ball\n    relation", "    systems: \"ball[0]\"\n    relation",
     "there is no system \"ball[0]\"", 0},
    {MECHANICS, "    systems: ball\n    relation", "    systems: \"ball[x]\"\n    relation",
     "the name \"x\" is not known here", 0},
    {MECHANICS, "    systems: ball\n    relation", "    systems: \"ball[-1]\"\n    relation",
     "the index -1 is -1; valid are whole numbers from 0 on", 0},
    {MECHANICS, "    relation: gap", "    relation: gop",
     "there is no relation \"gop\", did you mean \"gap\"?; there are gap", 0},
    {MECHANICS, "    relation: gap\n", "", "the interaction needs the key relation", -1},
    {MECHANICS, "    relation: gap", "    relation: [gap]",
     "a relation is a map of keys, not a list", 0},
    {MECHANICS, "    law: impact", "    law: impac",
     "there is no law \"impac\", did you mean \"impact\"?; there are impact", 0},
    {MECHANICS, "    law: impact\n", "", "needs the key law", -1},
    {MECHANICS, "    law: impact", "    law: {type: newton_impact_friction}", "law", -1},
    {MECHANICS, "  floor:", "  ball:", "the name \"ball\" is that of a system in line", -1},
    /* simulation */
    {MECHANICS, "  type: time_stepping", "  type: stepping",
     "there is no simulation of type \"stepping\"; valid are time_stepping, event_driven, "
     "adaptive",
     0},
    {MECHANICS, "  type: time_stepping", "  type: event_driven",
     "a simulation of type event_driven has no key \"h\"", 2},
    {MECHANICS, "  h: 0.01", "  h: 0", "h is 0; valid are numbers > 0", 0},
    {MECHANICS, "  h: 0.01", "  h: -1e-3", "valid are numbers > 0", 0},
    {MECHANICS, "  h: 0.01\n", "", "the simulation of type time_stepping needs the key h", -1},
    {MECHANICS, "  t1: 1", "  t1: -1", "t1", -1},
    {MECHANICS, "  t1: 1", "  t1: 1\n  solver: fastest", "fastest", -1},
    {MECHANICS, "  t1: 1", "  t1: 1\n  solver: nsgs\n  solver_options: {speed: 3}", "speed", 2},
    {MECHANICS, "  t1: 1", "  t1: 1\n  solver_options: [3]", "solver_options is a list", 1},
    {MECHANICS, "  t1: 1", "  t1: 1\n  tolerance: 0", "tolerance is 0; valid are numbers in (0, 1]",
     1},
    {MECHANICS, "  t1: 1", "  t1: 1\n  max_halvings: 31",
     "max_halvings is 31; valid are numbers in [0, 30]", 1},
    {MECHANICS, "  t1: 1", "  t1: 1\n  newton: {max_iterations: 0}", "valid are numbers >= 1", 1},
    {MECHANICS, "  t1: 1", "  t1: 1\n  projection: {kind: always}",
     "kind is \"always\"; valid are none, direct, combined", 1},
    {MECHANICS, "  t1: 1", "  t1: 1\n  activation: {gamma_prediction: -1}",
     "valid are numbers in [0, 1e6]", 1},
    {MECHANICS, "theta: 0.5", "theta: -0.5", "theta is -0.5; valid are numbers in [0, 1]", 0},
    {MECHANICS, "theta: 0.5", "teta: 0.5", "did you mean \"theta\"?", 0},
    {MECHANICS, "{type: moreau_jean, theta: 0.5}", "{type: zero_order_hold}", "zero_order_hold",
     -1},
    {MECHANICS, "{type: moreau_jean, theta: 0.5}", "moreau_jean",
     "a scheme is a map of keys, not a scalar", 0},
    /* outputs and measures */
    {MECHANICS, "ball.q1, floor", "ball.q3, floor",
     "the name \"ball.q3\" is not known here; valid are ball.q[0] to ball.q[1], ball.v[0] to "
     "ball.v[1], "
     "ball.p[0] to ball.p[1], ball.force[0] to ball.force[1], ball.normal_force, "
     "ball.kinetic_energy",
     0},
    {MECHANICS, "ball.q1, floor", "bal.q1, floor",
     "the name \"bal.q1\" is not known here; valid are t, ball.q[0] to ball.q[1], floor.y[0]", 0},
    {MECHANICS, "ball.q1, floor", "ball.x1, floor", "the name \"ball.x1\" is not known here", 0},
    {MECHANICS, "ball.q1, floor", "ball, floor", "the name \"ball\" is not known here", 0},
    {MECHANICS, "ball.q1, floor", "\"ball[*].q1\", floor", "made by the key repeat", 0},
    {MECHANICS, "ball.q1, floor", "[ball.q1], floor",
     "valid is a quantity, or a map of name, value and unit", 0},
    {MECHANICS, "ball.q1, floor", "{nam: x, value: ball.q1}, floor",
     "a column has no key \"nam\"; valid are name, value, unit", 0},
    {MECHANICS, "ball.q1, floor", "{name: x}, floor", "a column needs the key value", 0},
    {MECHANICS, "[ball.q1, floor.lambda1]", "ball.q1",
     "columns is a scalar; valid is a list of columns", 0},
    {MECHANICS, "  every: 2", "  every: 0", "every is 0; valid are numbers >= 1", 0},
    {MECHANICS, "kind: max", "kind: maximum", "kind is \"maximum\"; valid are mean, rms, max, min",
     0},
    {MECHANICS, "of: ball.q1, from", "from", "the measure needs the key of", 0},
    {MECHANICS, "of: ball.q1, from", "of: ball.q9, from", "the name \"ball.q9\" is not known here",
     0},
    {MECHANICS, "to: 0.5}", "to: 0.05}", "to has to be above from", 0},
    /* first order */
    {CIRCUIT, "    f: [-x1/(R*C) + u]", "    f: [-x2/(R*C) + u]",
     "the name \"x2\" is not known here; valid are t, x[0], z[0], u", 0},
    {CIRCUIT, "    f: [-x1/(R*C) + u]", "    f: [-x1/(R*C) + w]",
     "the name \"w\" is not known here", 0},
    {CIRCUIT, "    f: [-x1/(R*C) + u]", "    f: [-x1/(R*C) + q1]",
     "the name \"q1\" is not known here", 0},
    {CIRCUIT, "    jac_f_x: [[-1/(R*C)]]", "    jac_f_x: [[1, 2]]",
     "jac_f_x has 2 entries; it needs 1", 0},
    {CIRCUIT, "    x0: [1]\n    f: [-x1/(R*C) + u]\n    jac_f_x: [[-1/(R*C)]]\n", "",
     "the size of the system is not known; say n", -1},
    {CIRCUIT, "      output: [x1 + lambda1]", "      output: [x1 + lambda2]",
     "the name \"lambda2\" is not known here; valid are t, x[0], lambda[0]", 0},
    {CIRCUIT, "      output: [x1 + lambda1]\n", "",
     "the relation of type first_order needs the key output", -1},
    {CIRCUIT, "      input: [lambda1]", "      input: [lambda1, 0]",
     "input has 2 entries; it needs 1", 0},
    {CIRCUIT, "      type: first_order\n      output", "      type: lagrangian\n      output",
     "a relation of type lagrangian has no key \"input\"", 2},
    {CIRCUIT, "lower: [0], upper: [inf]", "lower: [nan], upper: [inf]",
     "the name \"nan\" is not known here", 0},
    {CIRCUIT, "type: relay, lower: [0], upper: [inf]", "type: newton_impact", "newton_impact", -1},
    {CIRCUIT, "type: pid", "type: pidd",
     "there is no sampler of type \"pidd\", did you mean \"pid\"?; valid are set, pid, pwm", 0},
    {CIRCUIT, "period: 0.01", "period: 0", "period is 0; valid are numbers > 0", 0},
    {CIRCUIT, "period: 0.01, ", "", "the sampler of type pid needs the key period", 0},
    {CIRCUIT, "measured: rc.x1", "measured: rc.x7", "the name \"rc.x7\" is not known here", 0},
    {CIRCUIT, "kp: 2", "kp: 2, lower: 1, upper: 0", "it has to be above lower", 0},
    {CIRCUIT, "output: rc.u", "output: rc.w",
     "rc has no parameter \"w\"; valid are the names under its key z: u", 0},
    {CIRCUIT, "output: rc.u", "output: u",
     "\"u\" is not the parameter of a system or relation; valid is name.parameter, the name among: "
     "rc",
     0},
    {CIRCUIT, "output: rc.u", "output: rc.x1", "rc has no parameter \"x1\"", 0},
    {CIRCUIT, "time: 0.05", "time: -1", "time", 0},
    {CIRCUIT, "time: 0.05, ", "", "the event needs the key time", 0},
    {CIRCUIT, "rc.u: 3", "rc.w: 3", "rc has no parameter \"w\"", 0},
    {CIRCUIT, "rc.u: 3", "rc.u: rc.y", "the name \"rc.y\" is not known here", 0},
    {CIRCUIT, "set: {rc.u: 3}", "set: [3]",
     "set is a list; valid is a map of parameters to expressions", 0},
    {CIRCUIT, "  - {time", "  a: {time", "events is a map; valid is a list of maps", 0},
    {CIRCUIT, "systems: [rc]", "systems: [rc, rc]", "input has 1 entry; it needs 2", -1},
    /* bodies */
    {BODIES, "    mass: 1\n", "", "a body needs mass and inertia, or density and shapes", -1},
    {BODIES, "    mass: 1\n", "    mass: 1\n    density: 3\n",
     "a body needs mass and inertia, or density and shapes", -1},
    {BODIES, "    mass: 1\n", "    mass: 0\n", "mass is 0; valid are numbers > 0", 0},
    {BODIES, "    inertia: {diagonal: [1, 1, 1]}", "    inertia: [1, 1, 1]",
     "inertia is a list of numbers; it needs a list of rows, 3 x 3", 0},
    {BODIES, "    inertia: {diagonal: [1, 1, 1]}", "    inertia: {diagonal: [1, 1, -1]}", "inertia",
     -1},
    {BODIES, "    q0: [i, 0, 1, 1, 0, 0, 0]", "    q0: [i, 0, 1]", "q0 has 3 entries; it needs 7",
     0},
    {BODIES, "    q0: [i, 0, 1, 1, 0, 0, 0]", "    q0: [j, 0, 1, 1, 0, 0, 0]",
     "the name \"j\" is not known here; valid are numbers, i", 0},
    {BODIES, "    q0: [i, 0, 1, 1, 0, 0, 0]", "    q0: [i, 0, 1, 2, 0, 0, 0]", "quaternion", -1},
    {BODIES, "    gravity: [0, 0, -9.81]", "    gravity: -9.81", "gravity has 1 entry; it needs 3",
     0},
    {BODIES, "type: sphere", "type: ball",
     "there is no shape of type \"ball\"; valid are sphere, capsule", 0},
    {BODIES, "radius: 0.1", "radius: 0", "radius is 0; valid are numbers > 0", 0},
    {BODIES, "radius: 0.1, ", "", "the shape of type sphere needs the key radius", 0},
    {BODIES, "position: [0, 0, 0.1]", "position: [0, 0]", "position has 2 entries; it needs 3", 0},
    {BODIES, "position: [0, 0, 0.1]", "material: 4", "material", 0},
    {BODIES, "position: [0, 0, 0.1]", "material: -1", "material is -1; valid are numbers >= 0", 0},
    {BODIES, "\"rod[1]\", \"rod[0]\"", "\"rod[1]\", \"rod[2]\"",
     "there is no system \"rod[2]\"; there are rod[0], rod[1]", 0},
    {BODIES, "\"rod[1]\", \"rod[0]\"", "\"rod[i]\", \"rod[0]\"", "the name \"i\" is not known here",
     0},
    {BODIES, "\"rod[1]\", \"rod[0]\"", "\"rod[0.5]\", \"rod[0]\"",
     "valid are whole numbers from 0 on", 0},
    {BODIES, "\"rod[1]\", \"rod[0]\"", "rod, \"rod[0]\"",
     "there is no system \"rod\"; there are rod[0], rod[1]", 0},
    {BODIES, "\"rod[1]\", \"rod[0]\"", "\"rod[0]\", \"rod[0]\"", "rod[0]", -1},
    {BODIES, ", axis: [0, 1, 0]", "", "axis", 0},
    {BODIES, "axis: [0, 1, 0]", "axis: [0, 1]", "axis has 2 entries; it needs 3", 0},
    {BODIES, "type: hinge", "type: hing", "there is no relation of type \"hing\"", 0},
    {BODIES, "type: hinge", "type: rope", "a relation of type rope has no key \"axis\"", 0},
    {BODIES, "materials: [{mu: 0.5}]", "materials: [{mu: -0.5}]",
     "mu is -0.5; valid are numbers >= 0", 0},
    {BODIES, "materials: [{mu: 0.5}]",
     "materials: [{mu: 0.5}]\n    material_pairs: [{materials: [0, 1], mu: 1}]",
     "a pair names the material 1; valid are 0 to 0", 1},
    {BODIES, "materials: [{mu: 0.5}]",
     "materials: [{mu: 0.5}]\n    material_pairs: [{materials: [0, 0], mu: -1}]", "mu is -1", 1},
    {BODIES, "materials: [{mu: 0.5}]",
     "materials: [{mu: 0.5}]\n    material_pairs: [{materials: [0], mu: 1}]", "materials", 1},
    {BODIES, "materials: [{mu: 0.5}]", "materials: {mu: 0.5}",
     "materials is a map; valid is a list of maps", 0},
    {BODIES, "    materials: [{mu: 0.5}]\n", "", "material", -1},
    {BODIES, "normal: [0, 0, 1]", "normal: [0, 0, 2]", "normal", -1},
    {BODIES, "normal: [0, 0, 1]", "normal: [0, 1]", "normal has 2 entries; it needs 3", 0},
    {BODIES, "    type: shapes", "    type: shapes\n    dimension: 2",
     "normal has 3 entries; it needs 2", -1},
    {BODIES, "    type: shapes", "    type: shapes\n    bodies: bar",
     "there is no system \"bar\"; there are rod[0], rod[1]", 1},
    {BODIES, "    type: shapes", "    type: shapes\n    mix: mean_value",
     "mix is \"mean_value\"; valid are geometric, min, max, mean", 1},
    {BODIES, "    type: shapes", "    type: shapes\n    reach: -1",
     "reach is -1; valid are numbers > 0", 1},
    {BODIES, "  output_period: 0.1", "  output_period: 0.1\n  integrator: euler",
     "integrator is \"euler\"; valid are auto, dormand_prince, esdirk", 1},
    {BODIES, "  output_period: 0.1", "  output_period: 0.1\n  accumulation: 2",
     "valid are numbers in [0, 1]", 1},
    {BODIES, "  output_period: 0.1", "  output_period: 0.1\n  max_events: many",
     "the name \"many\" is not known here", 1},
    /* nonlinear mechanics */
    {CONTROL, "    mass: [[2, cos(q2)], [cos(q2), 1]]", "    mass: [[2, cos(q3)], [cos(q3), 1]]",
     "the name \"q3\" is not known here; valid are q[0] to q[1]", 0},
    {CONTROL, "    mass: [[2, cos(q2)], [cos(q2), 1]]", "    mass: [[2, v1], [v1, 1]]",
     "the name \"v1\" is not known here", 0},
    {CONTROL, "    fint: [v1, sin(q2)]", "    fint: [v1, sin(q2]",
     "the bracket \"(\" has no partner", 0},
    {CONTROL, "    fint: [v1, sin(q2)]", "    fint: [v1, sin()]",
     "the function sin takes one argument, not 0", 0},
    {CONTROL, "    fint: [v1, sin(q2)]", "    fint: [v1, sin(q2)]\n    jac_fint_q: [[0, 0]]",
     "jac_fint_q is 1 x 2 (rows x columns); it needs 2 x 2", 1},
    {CONTROL, "    fext: [sin(t), z1]", "    fext: [sin(t), z2]",
     "the name \"z2\" is not known here", 0},
    {CONTROL, "    prescribed: [2]", "    prescribed: [0]", "valid are 1 to 2, increasing", 0},
    {CONTROL, "    prescribed: [2]", "    prescribed: [2, 1]", "valid are 1 to 2, increasing", 0},
    {CONTROL, "    prescribed: [2]", "    prescribed: [1.5]", "valid are 1 to 2, increasing", 0},
    {CONTROL, "    prescribed_velocity: [cos(t)]", "    prescribed_velocity: [cos(t), 1]",
     "prescribed_velocity has 2 entries; it needs 1", 0},
    {CONTROL, "1 - hypot(q1, q2)", "1 - hypot(q1, q2, q2)",
     "the function hypot takes two arguments, not 3", 0},
    {CONTROL, "1 - hypot(q1, q2)", "1 - hypot(q1, v2)", "the name \"v2\" is not known here", 0},
    {CONTROL, "type: newton_impact", "type: equality, e: 1",
     "a law of type equality has no key \"e\"; valid are type", 0},
    {CONTROL, "arm.z1: arm.v1 + 1", "arm.z2: arm.v1 + 1", "arm has no parameter \"z2\"", 0},
    {CONTROL, "arm.z1: arm.v1 + 1", "arm.z1: arm.v3 + 1", "the name \"arm.v3\" is not known here",
     0},
    {CONTROL, "arm.z1: arm.v1 + 1", "leg.z1: arm.v1 + 1",
     "\"leg.z1\" is not the parameter of a system or relation", 0},
    {CONTROL, "duty: 0.5", "duty: [0.5]", "duty is a list; valid is an expression", 0},
    {CONTROL, "duty: 0.5, ", "", "the sampler of type pwm needs the key duty", 0},
    {CONTROL, "duty: 0.5", "duty: 0.5, high: x", "the name \"x\" is not known here", 0},
};

enum { nmutations = sizeof mutations / sizeof *mutations };

/* ---- all faults of a file ---- */

/* Errors as the log sees them. */
typedef struct fault_log {
  int count;
  char text[30][400];
} fault_log;

static void keep_fault_of(nsds_log_level level, const char *message, void *user) {
  fault_log *log = user;
  if (level != NSDS_LOG_ERROR) return;
  if (log->count < 30) snprintf(log->text[log->count], sizeof log->text[0], "%s", message);
  ++log->count;
}

/* The faults that begin with these words, and no others. The first is the error of the context. */
static void expect_faults(const char *text, int count, const char *const *begin) {
  static fault_log log;
  log.count = 0;
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = keep_fault_of, .log_user = &log});
  assert_null(nsds_job_create(
      context, &(nsds_job_def){.file = "t.yaml", .text = text, .kind = NSDS_JOB_MODEL_FILE}));
  for (int k = 0; k < count && begin && k < log.count; ++k)
    if (strncmp(log.text[k], begin[k], strlen(begin[k])) != 0)
      fail_msg("expected \"%s\": %s", begin[k], log.text[k]);
  if (log.count != count) {
    for (int k = 0; k < log.count && k < 30; ++k) printf("%s\n", log.text[k]);
    fail_msg("%d faults, not %d", log.count, count);
  }
  if (strcmp(nsds_error_message(context), log.text[0]) != 0)
    fail_msg("%s", nsds_error_message(context));
  nsds_context_destroy(context);
}

/* Keys and types that are not there, each with the nearest that is. The missing key mass is not asked for beside mas. */
static void keys_are_listed(void **state) {
  (void)state;
  static const char *const begin[] = {
      "t.yaml:4:49: a system of type lagrangian_linear has no key \"mas\", did you mean \"mass\"?; "
      "valid are type, ",
      "t.yaml:4:57: a system of type lagrangian_linear has no key \"fxt\", did you mean \"fext\"?",
      "t.yaml:9:17: there is no law of type \"newton_impakt\", did you mean \"newton_impact\"?; "
      "valid "
      "are newton_impact, ",
      "t.yaml:12:1: a file has no key \"measure\", did you mean \"measures\"?"};
  expect_faults("nsds: 1\n"
                "parameters: {e: 0.8, g: 9.81}\n"
                "systems:\n"
                "  ball: {type: lagrangian_linear, ndof: 1,      mas: 1, fxt: -g}\n"
                "interactions:\n"
                "  floor:\n"
                "    systems: ball\n"
                "    relation: {type: lagrangian_linear, H: 1}\n"
                "    law: {type: newton_impakt, e: e}\n"
                "simulation: {type: time_stepping, t1: 1, h: 0.1}\n"
                "outputs: {columns: [ball.q1, floor.impulse1]}\n"
                "measure: {top: {kind: max, of: ball.q1}}\n",
                4, begin);
}

/* Values of objects. What needs a faulty object is not reported: interactions, columns, samplers, the simulation. */
static void values_are_listed(void **state) {
  (void)state;
  static const char *const begin[] = {
      "t.yaml:5:65: mass is 1 x 1 (rows x columns); it needs 2 x 2; ndof is 2, from q0",
      "t.yaml:8:33: e is 1.5; valid are numbers in [0, 1]",
      "t.yaml:15:10: there is no law \"hit\", did you mean \"hot\"?; there are hot",
      "t.yaml:17:16: there is no system \"cort\", did you mean \"cart\"?; there are cart",
      "t.yaml:18:40: \"x\": the name \"x\" is not known here",
      "t.yaml:18:47: h is -1; valid are numbers > 0",
      "t.yaml:20:54: \"nothing.z1\" is not the parameter of a system or relation",
      "t.yaml:22:30: \"cart.q2\": the name \"cart.q2\" is not known here; valid are cart.q[0], ",
      "t.yaml:24:35: the measure is from 2 to 1"};
  expect_faults("nsds: 1\n"
                "parameters: {e: 0.8}\n"
                "systems:\n"
                "  cart: {type: lagrangian_linear, q0: 1, mass: 1, z: {u: 0}}\n"
                "  ball: {type: lagrangian_linear, q0: [1, 0], v0: [0, 0], mass: 1}\n"
                "laws:\n"
                "  hot: {type: equality}\n"
                "  bad: {type: newton_impact, e: 1.5}\n"
                "interactions:\n"
                "  a: {systems: ball, relation: {type: lagrangian_linear, H: 1}, law: hot}\n"
                "  b: {systems: cart, relation: {type: lagrangian_linear, H: 1}, law: bad}\n"
                "  c:\n"
                "    systems: cart\n"
                "    relation: {type: lagrangian_linear, H: 1}\n"
                "    law: hit\n"
                "  d: {law: hot, relation: {type: lagrangian_linear, H: 1},\n"
                "      systems: cort}\n"
                "simulation: {type: time_stepping, t1: 'x', h: -1}\n"
                "samplers:\n"
                "  s: {type: pwm, period: 0.1, duty: cart.q1, output: nothing.z1}\n"
                "  v: {type: pwm, period: 0.1, duty: ball.q1 + a.y1 + c.y1, output: cart.u}\n"
                "outputs: {columns: [ball.q1, cart.q2, b.lambda1, 'ball[*].q1']}\n"
                "measures:\n"
                "  m: {kind: max, of: cart.q1, to: 1, from: 2}\n"
                "  n: {kind: max, of: ball.q1}\n",
                9, begin);
}

/* A parameter hides what depends on it, and no other parameter. */
static void parameters_are_listed(void **state) {
  (void)state;
  static const char *const none[] = {"t.yaml:2:10: a model needs a system"};
  expect_faults("nsds: 1\nsystems: {}\nsimulation: {type: time_stepping, t1: 1, h: 0.1}\n", 1,
                none);
  static const char *const begin[] = {"t.yaml:2:17: ", "t.yaml:2:37: "};
  expect_faults("nsds: 1\nparameters: {a: nothing, b: 2*a, c: sqrt(-1), d: a*c}\n"
                "systems: {s: {type: lagrangian_linear, q0: a, mass: b}}\n"
                "simulation: {type: time_stepping, t1: 1, h: 0.1}\n",
                2, begin);
}

/* Faults of the library are told once, with their place. */
static void library_faults_are_listed(void **state) {
  (void)state;
  static const char *const begin[] = {
      "t.yaml:3:10: system 'first': inertia (rows 1 0 0; 0 1 0; 0 0 -1) is not positive definite",
      "t.yaml:4:35: mass is 0; valid are numbers > 0",
      "t.yaml:5:49: inertia is 2 x 2 (rows x columns); it needs 3 x 3"};
  expect_faults("nsds: 1\nsystems:\n"
                "  first: {type: rigid_body, mass: 1, inertia: {diagonal: [1, 1, -1]}}\n"
                "  other: {type: rigid_body, mass: 0, inertia: {diagonal: [1, 1, 1]}}\n"
                "  third: {type: rigid_body, inertia: {diagonal: [1, 1]}, mass: 1}\n"
                "simulation: {type: time_stepping, t1: 1, h: 0.1}\n",
                3, begin);
}

/* Names that are none are left out like other faults. */
static void names_are_listed(void **state) {
  (void)state;
  static const char *const begin[] = {"t.yaml:3:3: \"a[0]\" is not a name",
                                      "t.yaml:4:3: \"abcdefghijklmnopqrstuvwxyz"};
  expect_faults(
      "nsds: 1\nsystems:\n  a[0]: {type: none}\n"
      "  abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz: {}\n"
      "  b: {type: lagrangian_linear, q0: 1, mass: 1}\n"
      "simulation: {type: time_stepping, t1: 1, h: 0.1}\n",
      2, begin);
}

/* Columns behind a faulty one are looked at too. */
static void columns_are_listed(void **state) {
  (void)state;
  static const char *const begin[] = {"t.yaml:5:22: a column has no key",
                                      "t.yaml:5:48: a column has no key"};
  expect_faults(
      "nsds: 1\n"
      "systems:\n"
      "  ball: {type: lagrangian_linear, q0: 1, mass: 1}\n"
      "simulation: {type: time_stepping, t1: 1, h: 0.1}\n"
      "outputs: {columns: [{nam: a, value: ball.q1}, {valu: ball.q1, value: 1}, ball.v1]}\n",
      2, begin);
}

/* A misspelt name in an expression is told with the name that is near, and with all valid names. */
static void names_in_expressions_are_near(void **state) {
  (void)state;
  static const char *const begin[] = {"t.yaml:4:67: \"-9.81*masss\": the name \"masss\" is not "
                                      "known here, did you mean \"mass\"?; valid are ",
                                      "t.yaml:6:24: \"2*mas\": the name \"mas\" is not known "
                                      "here, did you mean \"mass\"?; valid are "};
  expect_faults("nsds: 1\n"
                "parameters: {mass: 2}\n"
                "systems:\n"
                "  ball: {type: lagrangian_linear, q0: 1, mass: mass, fext: \"-9.81*masss\"}\n"
                "simulation: {type: time_stepping, t1: 1, h: 0.1}\n"
                "outputs: {columns: [\"2*mas\"]}\n",
                2, begin);
}

static void no_more_than_twenty(void **state) {
  (void)state;
  char text[4000] = "nsds: 1\nsystems:\n";
  for (int k = 0; k < 40; ++k)
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "  s%d: {type: lagrangian_linear, q0: 1, mass: -x}\n", k);
  strcat(text, "simulation: {type: time_stepping, t1: 1, h: 0.1}\n");
  expect_faults(text, 20, NULL);
}

/* Line, from 1, of a place in a text. */
static int line_of(const char *text, const char *place) {
  int line = 1;
  for (; text < place; ++text) line += *text == '\n';
  return line;
}

/* The text with the first occurrence of `find` replaced, to be freed. */
static char *mutate(const char *text, const char *find, const char *replace) {
  const char *at = strstr(text, find);
  if (!at) fail_msg("\"%s\" is not in the text", find);
  size_t size = strlen(text) + strlen(replace) + 1;
  char *made = malloc(size);
  snprintf(made, size, "%.*s%s%s", (int)(at - text), text, replace, at + strlen(find));
  return made;
}

/* The message of a text that is refused, "" of one that is read. */
static const char *message_of(const char *text, char *message, size_t size) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "test.yaml", .text = text, .kind = NSDS_JOB_MODEL_FILE});
  snprintf(message, size, "%s", job ? "" : nsds_error_message(context));
  nsds_job_destroy(job);
  nsds_context_destroy(context);
  return message;
}

/* A file may have 10000 anchors. */
static void anchors_are_counted(void **state) {
  (void)state;
  enum { most = 10000 };
  char message[1200], *text = malloc(20 * (most + 2));
  for (int count = most; count <= most + 1; ++count) {
    size_t used = (size_t)sprintf(text, "nsds: 1\nx: [");
    for (int k = 0; k < count; ++k) used += (size_t)sprintf(text + used, "&a%d 1, ", k);
    sprintf(text + used, "1]\n");
    message_of(text, message, sizeof message);
    bool refused = strstr(message, "more than 10000 anchors") != NULL;
    if (refused != (count > most)) fail_msg("%d anchors: %s", count, message);
  }
  free(text);
}

static void good_files_are_read(void **state) {
  (void)state;
  char message[1200];
  for (int k = 0; k < BASES; ++k)
    assert_string_equal(message_of(base[k], message, sizeof message), "");
}

static void mutations_are_refused(void **state) {
  (void)state;
  int wrong = 0;
  assert_true(nmutations >= 150);
  for (int k = 0; k < nmutations; ++k) {
    const mutation *m = &mutations[k];
    char message[1200], *text = mutate(base[m->base], m->find, m->replace);
    int line = 0, column = 0,
        expected = line_of(base[m->base], strstr(base[m->base], m->find)) + m->below;
    message_of(text, message, sizeof message);
    bool placed =
        sscanf(message, "test.yaml:%d:%d: ", &line, &column) == 2 && line >= 1 && column >= 1;
    if (!placed || !strstr(message, m->words) || (m->below >= 0 && line != expected)) {
      printf("%d: \"%s\" -> \"%s\": line %d expected, with \"%s\":\n  %s\n", k, m->find, m->replace,
             expected, m->words, message);
      ++wrong;
    }
    free(text);
  }
  assert_int_equal(wrong, 0);
}

/* Every key of the good files gets a letter more. The place is that of the key. */
static void misspelt_keys_are_found(void **state) {
  (void)state;
  int count = 0;
  for (int b = 0; b < BASES; ++b)
    for (const char *at = base[b]; (at = strstr(at, ": ")) != NULL; ++at) {
      const char *word = at;
      while (word > base[b] && strchr("abcdefghijklmnopqrstuvwxyz_0123456789", word[-1])) --word;
      int size = (int)(at - word);
      if (size == 0) continue;
      char message[1200], text[4000], known[100];
      snprintf(text, sizeof text, "%.*szzz%s", (int)(at - base[b]), base[b], at);
      message_of(text, message, sizeof message);
      snprintf(known, sizeof known, "%.*szzz", size, word);
      bool name = !strstr(message, "has no key") && message[0]; /* names are used elsewhere */
      bool free_name = !message[0] || strstr("g m u R C mu", word) || size <= 2; /* parameters */
      if (name || free_name) continue;
      int line = 0, column = 0, expected = line_of(base[b], word);
      const char *start = word;
      while (start > base[b] && start[-1] != '\n') --start;
      assert_int_equal(sscanf(message, "test.yaml:%d:%d: ", &line, &column), 2);
      if (line != expected || column != (int)(word - start) + 1 || !strstr(message, known) ||
          !strstr(message, "valid are"))
        fail_msg("%s: expected at %d:%d: %s", known, expected, (int)(word - start) + 1, message);
      ++count;
    }
  if (count < 40) fail_msg("%d keys alone", count);
}

static void large_files_are_refused(void **state) {
  (void)state;
  char message[1200];
  /* a thousand million values in a few lines */
  const char *laughs = "a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c "
                       "[*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                       "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e "
                       "[*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
                       "g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\n";
  message_of(laughs, message, sizeof message);
  if (!strstr(message, "with aliases written out")) fail_msg("%s", message);
  size_t size = (1 << 24) + 100;
  char *text = malloc(size);
  memset(text, 'a', size);
  text[size - 1] = '\0';
  message_of(text, message, sizeof message);
  if (!strstr(message, "the most are")) fail_msg("%s", message);
  free(text);
}

static void plugins_are_refused(void **state) {
  (void)state;
  char *text =
      mutate(base[MECHANICS], "    fext: [-m*g, 0]", "    fext: {plugin: any.so, function: f}");
  nsds_context *context = nsds_context_create(NULL);
  assert_null(nsds_job_create(
      context, &(nsds_job_def){.file = "test.yaml", .text = text, .refuse_plugins = true}));
  if (!strstr(nsds_error_message(context),
              "test.yaml:13:20: this file asks for the plugin any.so, and plugins are refused"))
    fail_msg("%s", nsds_error_message(context));
  nsds_context_destroy(context);
  free(text);
}

static void settings_are_checked(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job_def def = {.file = "test.yaml",
                      .text = base[MECHANICS],
                      .nsettings = 1,
                      .settings = &(nsds_job_setting){"h", "1"}};
  assert_null(nsds_job_create(context, &def));
  if (!strstr(nsds_error_message(context), "there is no parameter h; the parameters are g, m"))
    fail_msg("%s", nsds_error_message(context));
  nsds_error_clear(context);
  def.text = base[BODIES];
  assert_null(nsds_job_create(context, &def));
  if (!strstr(nsds_error_message(context), "there is no parameter h; the file has no parameters"))
    fail_msg("%s", nsds_error_message(context));
  nsds_error_clear(context);
  def.text = base[MECHANICS];
  def.settings = &(nsds_job_setting){"g", "1 +"};
  assert_null(nsds_job_create(context, &def));
  if (!strstr(nsds_error_message(context), "test.yaml:4:"))
    fail_msg("%s", nsds_error_message(context));
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_files_are_read),     cmocka_unit_test(mutations_are_refused),
      cmocka_unit_test(misspelt_keys_are_found), cmocka_unit_test(large_files_are_refused),
      cmocka_unit_test(plugins_are_refused),     cmocka_unit_test(settings_are_checked),
      cmocka_unit_test(keys_are_listed),         cmocka_unit_test(values_are_listed),
      cmocka_unit_test(parameters_are_listed),   cmocka_unit_test(library_faults_are_listed),
      cmocka_unit_test(names_are_listed),        cmocka_unit_test(no_more_than_twenty),
      cmocka_unit_test(columns_are_listed),      cmocka_unit_test(names_in_expressions_are_near),
      cmocka_unit_test(anchors_are_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
