# Both arches 0.4 s after the start; heights of their crowns over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "800" ARG2 ARG3
csv = ARG1
stats csv skip 1 using 1 nooutput
blocks = STATS_blocks - 1

set multiplot
set size 1,0.66
set origin 0,0.34
load system(sprintf("dirname '%s'", ARG0))."/blocks.gp"
set title "The same arch with a coefficient of friction of 0.5 (blue, behind) and of 0.25, after 0.4 s"
set view 68,20,1.7,1.0
set xrange [-1.3:1.3]
set yrange [-1.4:0.4]
set zrange [0:1.2]
set xtics 0.5
set ytics 0.5
set ztics 0.5
shade(i) = 2 * i <= blocks ? (i % 2 ? "#5b8fc0" : "#7fa9d0") : (i % 2 ? "#c4432b" : "#d96a55")
splot for [i=1:blocks] csv index i using 1:2:3 with polygons fillcolor rgb shade(i) notitle
set size 1,0.34
set origin 0,0
unset title
set xlabel "time [s]"
set ylabel "height of the crown [m]"
set xrange [*:*]
set yrange [0:1.2]
set xtics auto
set ytics 0.5
set key bottom left
plot csv index 0 skip 1 using 1:4 with lines linecolor rgb blue title "friction 0.5", \
     csv index 0 skip 1 using 1:5 with lines linecolor rgb red title "friction 0.25"
unset multiplot
