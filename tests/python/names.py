"""Parts by name: drawn models against a search through all parts, and a time that does not grow with the model.

  names.py [COUNT [SEED]]: models drawn, 60 by default
"""
import random
import sys
import time

import nsds
from support import check, finish, raises

COUNT, SEED = (int(a) for a in (sys.argv[1:] + ["60", "1"][len(sys.argv) - 1:])[:2])


def searched(model):
    """The first part of each name, by a search."""
    found = {}
    for part in model.systems + model.interactions + model.contact_sets:
        if part.name:
            found.setdefault(part.name, part)
    return found


def agree(model, words, place):
    wanted = searched(model)
    for word in words:
        check(place, (word in model) == (word in wanted), "%r is%s there" % (word, "" if word in wanted else " not"))
        if word in wanted:
            check(place, model[word] is wanted[word], "%r %s %s" % (word, model[word], wanted[word]))
        else:
            raises(place, KeyError, lambda: model[word], word)


def draw(rng, words):
    """One change of a model: a new part, a new name or a removal."""
    def change(model, gap, law):
        kind = rng.randrange(8)
        systems, interactions = model.systems, model.interactions
        name = rng.choice(words + [None])
        if kind <= 1 or not systems:
            model.lagrangian_linear(name=name, ndof=1, mass=1.0)
        elif kind == 2:
            model.connect(gap, law, rng.choice([s for s in systems if s.nv == 1] or [model.lagrangian_linear(ndof=1, mass=1.0)]),
                          name=name)
        elif kind == 3:
            model.balls(name=name, law=law, ds=[model.lagrangian_linear(ndof=3, mass=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])],
                        dimension=3, radius=0.1, normal=[0, 0, 1])
        elif kind == 4:
            rng.choice(systems + interactions + model.contact_sets).name = name
        elif kind == 5 and interactions:
            rng.choice(interactions).disconnect()
        elif kind == 6 and model.contact_sets:
            rng.choice(model.contact_sets).destroy()
        elif kind == 7:
            free = [s for s in systems if s.nv == 1 and not any(s in i.systems for i in interactions)]
            if free:
                rng.choice(free).destroy()
    return change


for seed in range(SEED, SEED + COUNT):
    rng = random.Random(seed)
    words = ["a", "b", "c", "ball", "\u00e4"][:rng.randint(2, 5)]
    with nsds.Model() as model:
        gap, law = model.lagrangian_linear_relation(H=[1.0]), model.newton_impact(0.5)
        change = draw(rng, words)
        for step in range(25):
            change(model, gap, law)
            if rng.random() < 0.7:
                agree(model, words, "seed %d, change %d" % (seed, step))


def cost(n):
    """Seconds of a look-up in a model of n bodies; the least of several trials."""
    model = nsds.Model()
    for k in range(n):
        model.lagrangian_linear(name="b%d" % k, ndof=1, mass=1.0)
    model["b0"]
    best = 1.0
    for _ in range(20):
        start = time.perf_counter()
        for k in range(50):
            model["b1"]
        best = min(best, (time.perf_counter() - start) / 50)
    return best


small, large = cost(3), cost(3000)
check("constant time", large < 4.0 * small + 2e-6, "%.2g us with 3 bodies, %.2g us with 3000" % (1e6 * small, 1e6 * large))
finish()
