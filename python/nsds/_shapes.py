"""Shapes of the arrays and of the functions' results in definitions: a matrix "ndof n" has ndof rows, n columns.

The headers say the same in words. Names are fields of the definition; "^n" is a field of the definition around a part.
A number stays, "nx+nv" is a sum. tests/python/headers.py checks that no array and no function is missing.
"""

PRESCRIBED = {"index": "n", "fn": "n"}
LOAD = {"fn": "3", "jac_q_fn": "3 7", "jac_v_fn": "3 6"}

SHAPES = {
    "nsds_prescribed": PRESCRIBED,
    "nsds_load_function": LOAD,
    "nsds_force_function": {"fn": "^ndof", "jac_q_fn": "^ndof ^ndof", "jac_v_fn": "^ndof ^ndof"},
    "nsds_lagrangian_control": {"map": "^ndof n", "map_fn": "^ndof n", "fn": "n", "jac_q_fn": "n ^ndof",
                                "jac_v_fn": "n ^ndof", "jac_map_q_fn": "^ndof*n ^ndof"},
    "nsds_first_order_control": {"map": "^n n", "map_fn": "^n n", "fn": "n", "jac_x_fn": "n ^n",
                                 "jac_xdot_fn": "n ^n", "jac_map_x_fn": "^n*n ^n"},
    "nsds_operator_data": {"z": "nz"},
    "nsds_lagrangian_def": {"q0": "ndof", "v0": "ndof", "mass": "ndof ndof", "mass_fn": "ndof ndof", "fext": "ndof",
                            "fext_fn": "ndof", "z": "nz"},
    "nsds_lagrangian_linear_def": {"q0": "ndof", "v0": "ndof", "mass": "ndof ndof", "damping": "ndof ndof",
                                   "stiffness": "ndof ndof", "mass_sparse": "ndof ndof",
                                   "damping_sparse": "ndof ndof", "stiffness_sparse": "ndof ndof", "fext": "ndof",
                                   "fext_fn": "ndof", "z": "nz"},
    "nsds_lagrangian_linear_relation_def": {"H": "ny nq", "D": "ny ny", "compliance": "ny ny", "F": "ny nZ", "b": "ny",
                                            "z": "nz"},
    "nsds_lagrangian_relation_def": {"output_fn": "ny", "jac_output_q_fn": "ny nq", "jac_output_t_fn": "ny",
                                     "jac_output_lambda_fn": "ny ny", "bias_fn": "ny", "z": "nz"},
    "nsds_first_order_def": {"x0": "n", "mass": "n n", "mass_fn": "n n", "f_fn": "n", "jac_f_x_fn": "n n", "z": "nz"},
    "nsds_first_order_linear_def": {"x0": "n", "mass": "n n", "mass_sparse": "n n", "mass_fn": "n n", "A": "n n",
                                    "A_sparse": "n n", "A_fn": "n n", "b": "n", "b_fn": "n", "z": "nz"},
    "nsds_first_order_linear_relation_def": {"C": "ny nx", "D": "ny ny", "B": "nx ny", "F": "ny nZ", "e": "ny",
                                             "C_fn": "ny nx", "D_fn": "ny ny", "B_fn": "nx ny", "F_fn": "ny nZ",
                                             "e_fn": "ny", "z": "nz"},
    "nsds_first_order_relation_def": {"output_fn": "ny", "jac_output_x_fn": "ny nx", "jac_output_lambda_fn": "ny ny",
                                      "input_fn": "nx", "jac_input_lambda_fn": "nx ny", "jac_input_x_fn": "nx nx",
                                      "z": "nz"},
    "nsds_mixed_linear_relation_def": {"C": "ny nx", "H": "ny nq", "E": "ny nv", "D": "ny ny", "e": "ny",
                                       "e_fn": "ny", "B": "nx ny", "L": "nv ny", "z": "nz"},
    "nsds_mixed_relation_def": {"output_fn": "ny", "jac_output_x_fn": "ny nx", "jac_output_q_fn": "ny nq",
                                "jac_output_v_fn": "ny nv", "jac_output_lambda_fn": "ny ny", "input_fn": "nx+nv",
                                "jac_input_lambda_fn": "nx+nv ny", "jac_input_x_fn": "nx+nv nx",
                                "jac_input_q_fn": "nx+nv nq", "jac_input_v_fn": "nx+nv nv", "z": "nz",
                                "terms": "ny"},
    "nsds_rigid_body_def": {"inertia": "3 3", "q0": "7", "v0": "6", "z": "nz"},
    "nsds_rigid_body_2d_def": {"q0": "3", "v0": "3", "force_fn": "3", "z": "nz"},
    "nsds_balls_def": {"normal": "dimension"},
    "nsds_spheres_def": {"radii": "count"},
    "nsds_shape_def": {"vertex": "nvertex *", "face": "nface *", "height": "ny nx", "part": "nface"},
    "nsds_mass_def": {"densities": "nshape"},
    "nsds_contact_relation_def": {},
    "nsds_custom_second_order_def": {"q0": "nq", "v0": "ndof", "z": "nz"},
    "nsds_custom_first_order_def": {"x0": "n", "z": "nz"},
    "nsds_custom_relation_def": {"z": "nz", "terms": "ny"},
    "nsds_adaptive_def": {"size": "states", "off_lower": "nswitch", "off_upper": "nswitch", "on": "nswitch"},
    "nsds_rollout_def": {"state": "size", "controls": "steps ncontrol", "states": "steps size"},
    "nsds_block": {"lower": "size", "upper": "size", "H": "nfacet size", "K": "nfacet"},
}

# Lists: the field that holds their number of entries.
COUNTS = {
    ("nsds_balls_def", "ds"): "count",
    ("nsds_adaptive_def", "switched"): "nswitch",
    ("nsds_sensor_def", "bodies"): "count",
    ("nsds_spheres_def", "ds"): "count",
    ("nsds_spheres_def", "plane"): "nplane",
    ("nsds_shapes_def", "shape"): "nshape",
    ("nsds_shapes_def", "material"): "nmaterial",
    ("nsds_mass_def", "shape"): "nshape",
    ("nsds_joint_couple_def", "term"): "nterm",
    ("nsds_job_def", "settings"): "nsettings",
    ("nsds_circuit_def", "settings"): "nsettings",
    ("nsds_scene_def", "names"): "nquantities",
    ("nsds_scene_def", "units"): "nquantities",
    ("nsds_sweep_def", "settings"): "nsettings",
    ("nsds_sweep_def", "axes"): "naxes",
}

# Fields that the binding fills, or that have no meaning in Python.
HIDDEN = ("reserved", "user", "ndata", "check_solver_user", "nswitch", "after_step", "nkept", "keep")
