# The angle of a rocking block, the forces of its corners, and what remains of its motion.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "760" ARG2 ARG3
csv = ARG1
limit = system("awk -F, '$11 == 1 { t = $1 } END { print t }' '".csv."'") + 0

set multiplot layout 3,1 margins 0.10,0.97,0.08,0.95 spacing 0.07
set xrange [0:1.6]
set arrow 1 from limit, graph 0 to limit, graph 1 nohead dashtype (6,5) linecolor rgb gray
set title "A block of 0.2 m by 1 m rocks on a floor without friction, e = 0"
set ylabel "angle [rad]"
set format x ""
set yrange [-0.16:0.16]
plot csv skip 1 using 1:2 with lines linecolor rgb blue notitle
unset title
set ylabel "force [N]"
set key left bottom
set yrange [-0.5:11]
plot csv skip 1 using 1:6 with steps linecolor rgb blue title "left corner", \
     csv skip 1 using 1:7 with steps linecolor rgb red title "right corner"
set format x "%g"
set xlabel "time [s]"
set ylabel "kinetic energy [J]"
set logscale y
set format y "10^{%T}"
set yrange [1e-15:1]
set key left bottom
set label 1 sprintf("at rest from\n%.8f s", limit) at limit, graph 0.3 offset -1,0 right
plot csv skip 1 using 1:10 with lines linecolor rgb blue notitle, \
     csv skip 1 using ($11 == 1 && $10 > 1e-15 ? $1 : NaN):10 with points pointtype 7 \
       pointsize 0.6 linecolor rgb red title "after a change of corners"
unset multiplot
