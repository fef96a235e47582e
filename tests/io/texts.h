/*
 * Small good texts of every format and storage: seeds for mutations, subjects of failing memory.
 */
#ifndef NSDS_TEST_IO_TEXTS_H
#define NSDS_TEST_IO_TEXTS_H

static const char *const good_texts[] = {
    "3\n0\n3\n3\n3 3\n4 2 0\n1 5 -3\n0 0 6\n-1 2 -3\n",
    ("3\n1\n3\n3\n4\n2\n2\n1 3\n1 3\n3\n4\n0 2 4\n1 0 1 0\n0\n0 1\n1\n4\n2\n5 -3 0 6\n3\n2 0\n-1 2 "
     "-3\n"),
    "3\n1\n3\n3\n3\n2\n2\n1 3\n2 3\n3\n3\n0 1 3\n0 0 1\n0\n4 1\n1\n2 0 5 -3\n2\n0 6\n-1 2 -3\n",
    ("3\n2\n3\n3\n2\nbanner\n3-by-3, nzmax: 4 nnz: 4, 1-norm: 9\n    col 0 : locations 0 to 1\n"
     "      1 : 4\n      0 : 2\n    col 1 : locations 2 to 2\n      1 : 1\n"
     "    col 2 : locations 3 to 3\n      2 : 6\n-1 2 -3\n"),
    ("3\n2\n3\n3\n3\nbanner\ncsr: 3-by-3, nzmax: 2 nnz: 2, 1-norm: 9\n    row 0 : locations 0 to "
     "0\n"
     "      2 : 4\n    row 1 : locations 1 to 0\n    row 2 : locations 1 to 1\n      0 : 6\n-1 2 "
     "-3\n"),
    ("3\n2\n3\n3\n1\nbanner\ntriplet: 3-by-3, nzmax: 5 nnz: 4\n2 2 : 6\n0 0 : 4\n1 1 : 3\n1 1 : 2\n"
     "-1 2 -3\n"),
    "3\n2\n3\n3\n4\nbanner\ntriplet: 3-by-3, nzmax: 3 nnz: 3\n2 0 : 6\n0 0 : 4\n2 1 : 3\n-1 2 -3\n",
    ("1 1\n1\n2\n0 1 3\n0 1\n0\n3\n3\n3 3\n4 2 0\n1 5 -3\n0 0 6\n-1 2 -3\n4\n5 0 -3 6\n1 0\n2 "
     "0\n-1\n"
     "2 -3\n0.5 0.25 1 0\n"),
    "0 1\n1\n2\n4\n5 0 -3 6\n1 0\n2 0\n-1\n2 -3\n",
    "3\n1\n0\n3\n3\n3 3\n4 2 0\n1 5 -3\n0 0 6\n-1 2 -3\n0.5\n1\n",
    ("2\n2\n1\n4\n4\n3\n2\n2\n2 4\n2 4\n3\n3\n0 1 3\n0 0 1\n0\n1 2 3 4\n1\n0 0 0 1\n2\n5 6 7 8\n"
     "-1 -2 -3 -4\n0 0.5\n"),
    "3\n0\n3\n3\n3 3\n4 2 0\n1 5 -3\n0 0 6\n-1 2 -3\n-1 -inf 0\n1 2 inf\n",
    ("5\n1\n2\n5\n5\n1\nbanner\ntriplet: 5-by-5, nzmax: 5 nnz: 5\n0 0 : 1\n1 1 : 2\n2 2 : 3\n"
     "3 3 : 4\n4 4 : 5\n-1 2 -3 4 5\n0.5\n0.125\n"),
    ("2\n1\n0\n3\n3\n3 3\n2 0 0\n0 2 0\n0 0 1\n0\n3\n2\n3 2\n1 0 0.5\n0 1 0\n-1 0 2\n0.5 1\n0.25\n"
     "1\n"),
    ("3\n1\n2\n2\n3\n3\nbanner\ncsr: 2-by-3, nzmax: 3 nnz: 3, 1-norm: 1\nrow 0 : locations 0 to 1\n"
     "0 : 1\n2 : 2\nrow 1 : locations 2 to 2\n1 : 1\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n0\n0\n2 0 "
     "0 2\n"
     "1 2\n3 4 5\n0.5\n0.125\n"),
    "1 0\n1\n1\n0 1 2\n0 1\n0\n3\n2\n3 2\n1 -1 1\n-1 -1 1\n0 1 -1\n",
    ("nsds 1 \"a \\\"name\\\" \\07\"\nblocks\nequality 1 \"joint\"\nnonnegative 2\nbox 2 lower "
     "-inf 0 upper 1 "
     "inf\ndisc 1 radius 0.5\ncone 2 mu 0.3 \"leg\"\nM sparse\n0 0 1\n7 7 2.5\n0 7 -1\n0 7 0.5\nq "
     "1 2 3 4 5 6 7 "
     "8\nq_error 0 0 0 0 0 0 0 1e-9\nguess\nz 1 2 3 4 5 6 7 8\nguess z 0 0 0 0 0 0 0 0 w 8 7 6 5 4 "
     "3 2 "
     "1\nsolution z 1 2 3 4 5 6 7 9\nend\n"),
    ("nsds 1\nblocks coulomb 2 mu 0.5 rolling 3 mu 0.5 mu_rolling 0.25\nM blocks\nblock 0 0 1 2 3 "
     "4\nblock 0 1 1 "
     "2 3 4 5 6\nblock 1 1\n1 0 0\n0 1 0\n0 0 1\nq 1 2 3 4 5\nend\n"),
    ("nsds 1\nblocks polyhedron 2 facets 3 H 1 0 0 1 -1 -1 K 0 0 -1 nonnegative 1\nM factored "
     "symmetric 3 cut 2 1 "
     "2\nedge 0 0 2 H 1 2 Y 3 4\nedge 1 0 2 H 1 2 3 4\nedge 1 2 1 H 1 2 Y 1 2\nD 1 1 0 0 1\ngain 1 "
     "2 3\nq 1 2 "
     "3\nend\n"),
    ("nsds 1 velocities 3 equalities 1\nblocks coulomb 2 mu 0.5\nM dense\n2 0 0\n0 2 0\n0 0 1\nH "
     "dense 1 0 0 1 0.5 "
     "-1\nG sparse 2 0 1\nf -1 0 2\nw 0.5 1\nb 0\nguess z 1 2 3 w 1 2 0 v 1 2 3\nend\n"),
    "nsds 1\nblocks coulomb 3 mu 0.5\nM dense 1 0 0 0 1 0 0 0 1\nq -1 0.2 0\nend",
};

#endif
