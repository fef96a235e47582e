# The stack at the end; what the ground carries and how far the top one has moved over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "700" ARG2 ARG3
csv = ARG1
stats csv skip 1 using 1 nooutput
blocks = STATS_blocks - 1

set multiplot
set size 0.5,1
set origin 0,0
load system(sprintf("dirname '%s'", ARG0))."/blocks.gp"
set view 76,28,0.95,1.0
set xrange [-2:2]
set yrange [-2:2]
set zrange [0:10]
set xtics 1
set ytics 1
set ztics 2
splot for [i=1:blocks] csv index i using 1:2:3 with polygons fillcolor rgb color(i) notitle
unset view
set size 0.5,0.5
set origin 0.5,0.5
set title "the ground carries"
set xlabel "time [s]"
set ylabel "weight of a cube"
set xrange [*:*]
set yrange [0:12]
set xtics auto
set ytics auto
plot csv index 0 skip 1 using 1:4 with lines linecolor rgb blue notitle
set origin 0.5,0
set title "the top cube has moved by"
set ylabel "displacement [nm]"
set yrange [0:*]
plot csv index 0 skip 1 using 1:($5 * 1e9) with lines linecolor rgb red notitle
unset multiplot
