# Cam and follower over time at the first speed of the file (358 rpm), from both formulations.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "520" ARG2 ARG3
csv = ARG1

set title "Cam follower at 358 rpm, restitution 0.8: two formulations of one system"
set xlabel "time [s]"
set ylabel "lift [m]"
set xrange [0:2]
set yrange [0:0.7]
set key top right horizontal
plot csv skip 1 using 1:2 with filledcurves y1=0 fillcolor rgb "#dedad2" title "cam", \
     csv skip 1 using 1:3 with lines linecolor rgb blue title "follower, moving frame", \
     csv skip 1 using 1:4 with lines linecolor rgb red dashtype (5,4) title "follower, fixed frame"
