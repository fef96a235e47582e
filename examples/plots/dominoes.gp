# The dominoes 0.45 s after the push; how far the wave has come over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "700" ARG2 ARG3
csv = ARG1
stats csv skip 1 using 1 nooutput
blocks = STATS_blocks - 1

set multiplot
set size 1,0.6
set origin 0,0.4
load system(sprintf("dirname '%s'", ARG0))."/blocks.gp"
set title "Dominoes, 0.45 s after the first one was pushed"
set view 64,16,3.3,1.0
set xrange [0:0.5]
set yrange [-0.05:0.05]
set zrange [0:0.06]
set xtics 0.1
set ytics 0.05
set ztics 0.05
set ylabel ""
set zlabel ""
splot for [i=1:blocks] csv index i using 1:2:3 with polygons fillcolor rgb color(i) notitle
set size 1,0.4
set origin 0,0
unset title
set xlabel "time [s]"
set ylabel "front of the wave [m]"
set xrange [*:*]
set yrange [0:*]
set xtics auto
set ytics auto
plot csv index 0 skip 1 using 1:5 with lines linecolor rgb blue notitle
unset multiplot
