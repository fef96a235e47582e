"""Messages of the library in the words of Python, and the nearest word to a misspelt one.

The library names its functions: "nsds_zero" is nsds.zero here, "nsds_set_state()" is system.set_state(), and
"nsds_time_stepping: ..." is "time_stepping(): ...". A word of an enum is a text. Names that Python does not have stay.
"""
import os
import re

from ._nsds import ffi

# Calls of C that are no methods of a model with the same name. A name without () here is an attribute.
CALLS = {
    "context_set_threads": "threads", "zero": "nsds.zero", "differences": "nsds.differences",
    "q": "system.q", "v": "system.v", "x": "system.x", "p": "system.p", "r": "system.r", "set_x": "system.x",
    "set_r": "system.set_r()", "set_state": "system.set_state()", "set_body_force": "system.set_force()",
    "ds_discretise": "system.discretise()", "ds_z": "system.z", "ds_set_z": "system.z", "ds_set_name": "system.name",
    "ds_destroy": "system.destroy()", "prescribed_force": "system.prescribed_force", "body_contacts": "system.contacts()", "kinetic_energy": "system.kinetic_energy",
    "relation_z": "relation.z", "relation_set_z": "relation.z", "relation_set_name": "relation.name",
    "relation_destroy": "relation.destroy()", "law_set_name": "law.name",
    "y": "interaction.y", "ydot": "interaction.ydot", "lambda": "interaction.lambda_",
    "impulse": "interaction.impulse", "is_active": "interaction.active", "is_on": "interaction.on", "set_on": "interaction.on", "interaction_z": "interaction.z",
    "interaction_set_z": "interaction.z", "interaction_set_name": "interaction.name",
    "set_lambda": "interaction.set_lambda()", "relative_degree": "interaction.relative_degree()",
    "joint_read": "interaction.joint()", "joint_points": "interaction.joint_points()",
    "joint_set_turns": "interaction.set_turns()", "joint_drive_set": "interaction.set_drive()",
    "spring_read": "interaction.spring()", "interaction_contact": "interaction.contact()",
    "disconnect": "interaction.disconnect()",
    "contact_set_destroy": "contact_set.destroy()", "contact_set_count": "len(contact_set)",
    "contact_set_set_name": "contact_set.name", "set_contacts": "contact_set.contacts()",
    "shapes_add": "contact_set.add()", "shapes_remove": "contact_set.remove()",
    "shapes_remove_body": "contact_set.remove_body()", "shapes_exclude": "contact_set.exclude()",
    "shapes_include": "contact_set.include()", "shapes_count": "contact_set.shape_count",
    "shapes_at": "contact_set.shape()",
    "model_name": "model.name", "model_set_name": "model.name", "model_contacts": "model.contacts()", "plugin_open": "model.plugin()",
    "plugin_get": "plugin.function()", "plugin_law": "plugin.law()", "plugin_solver": "plugin.solver()",
    "step": "simulation.step()", "run": "simulation.run()", "time": "simulation.t",
    "step_begin": "simulation.begin()", "step_solve": "simulation.solve()", "step_take": "simulation.take()",
    "step_update": "simulation.update()", "step_accept": "simulation.accept()", "step_reject": "simulation.reject()",
    "simulation_problem": "simulation.problem()", "simulation_solution": "simulation.solution()",
    "simulation_event": "simulation.event", "simulation_adaptive": "simulation.adaptive",
    "adaptive_is_on": "simulation.is_on()", "simulation_info": "simulation.info",
    "simulation_name": "simulation.name", "step_count": "simulation.step_count",
    "simulation_displacement": "simulation.displacement()", "simulation_set_name": "simulation.name",
    "simulation_set_h": "simulation.set_h()", "simulation_set_end": "simulation.set_end()",
    "simulation_set_solver": "simulation.set_solver()", "simulation_save": "simulation.save()",
    "simulation_restore": "simulation.restore()", "simulation_sample": "simulation.sample()",
    "simulation_at": "simulation.at()", "snapshot_take": "simulation.snapshot()",
    "snapshot_restore": "simulation.restore()", "snapshot_save": "simulation.save_snapshot()",
    "snapshot_load": "simulation.load_snapshot()", "snapshot_every": "simulation.snapshot_every()",
    "snapshot_from_bytes": "nsds.Snapshot()", "snapshot_bytes": "bytes(snapshot)",
    "solver_create": "nsds.Solver()", "solver_set": "solver.set()", "solver_get": "solver.get()",
    "solver_set_progress": "solver.progress()", "solve": "solver.solve()", "global_solve": "solver.solve()",
    "nonlinear_solve": "solver.solve_nonlinear()", "problem_read": "nsds.read_problem()",
    "problem_write": "problem.write()", "global_write": "problem.write()", "certify": "problem.certify()",
    "vtk_create": "nsds.Vtk()", "write_vtk": "series.write()", "scene_create": "nsds.Scene()",
    "scene_record": "scene.record()", "scene_write_html": "scene.write_html()",
    "job_create": "nsds.Job()", "job_step": "job.step()", "job_expand": "job.expand()",
    "job_import": "job.model_file()", "job_title": "job.title", "job_balance": "job.balance", "job_balance_sum": "job.balance",
    "sweep_create": "nsds.Sweep()", "sweep_key": "sweep.key", "sweep_run": "sweep.run()", "network_read": "circuit.read()", "network_place": "circuit.place()",
}

_enumerators = {}
_enums = {}


def enum_words(ctype):
    """The words of an enum, in lower letters: {"hinge": 2}."""
    if ctype.cname not in _enums:
        known = ctype.relements
        prefix = os.path.commonprefix(list(known))
        prefix = prefix[:prefix.rfind("_") + 1]
        _enums[ctype.cname] = {name[len(prefix):].lower(): value for name, value in known.items()}
    return _enums[ctype.cname]


def _enumerator(match):
    """'hinge' for NSDS_JOINT_HINGE."""
    if not _enumerators:
        for name in ffi.list_types()[0]:
            kind = ffi.typeof(name)
            if kind.kind == "enum":
                _enumerators.update(zip(kind.relements, enum_words(kind)))
    word = _enumerators.get(match.group())
    return match.group() if word is None else repr(word)


def _call(match):
    """The call of C that was found, as Python has it."""
    import nsds
    name, brackets, colon = match.groups()
    first = colon and match.start() == 0
    if name in CALLS:
        return CALLS[name]
    if hasattr(nsds.Model, name):
        return name + "()" if first else "model." + name + "()" if brackets else name
    return "nsds." + name + "()" if hasattr(nsds, name) else match.group()


def in_python(message):
    """The message with names as Python has them."""
    message = re.sub(r"(?<![\w/.])nsds_(\w+)\b(\(\))?(?!\.\w)(?=(: )?)", _call, message)
    message = re.sub(r"\bNSDS_[A-Z0-9_]+\b", _enumerator, message)
    return message.replace(" is NULL", " is not given").replace(" are NULL", " are not given")


def nearest(word, words):
    """", did you mean 'fext'?" for a misspelt word, or nothing."""
    import difflib
    known = {w.lower(): w for w in words}
    near = difflib.get_close_matches(str(word).lower(), list(known), 1)
    return ", did you mean %r?" % known[near[0]] if near else ""
