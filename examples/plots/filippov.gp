# Filippov's centre in the plane, and the size of x over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "480" ARG2 ARG3
csv = ARG1

set multiplot layout 1,2 margins 0.08,0.97,0.14,0.90 spacing 0.10
set title "Filippov's centre"
set xlabel "x1"
set ylabel "x2"
set xrange [-0.6:0.6]
set yrange [-0.4:0.8]
set size ratio -1
plot csv skip 1 using 2:3 with lines linecolor rgb blue notitle
set size noratio
set title "at rest after half a second"
set xlabel "time [s]"
set ylabel "|x1| + |x2|"
set xrange [0:0.7]
set yrange [0:1.05]
plot csv skip 1 using 1:4 with lines linecolor rgb red title "computed", \
     (x < 0.5 ? 1 - 2*x : 0) with lines dashtype (6,6) linecolor rgb gray title "1 - 2t"
unset multiplot
