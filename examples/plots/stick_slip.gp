# Stick and slip on a belt: the velocity over time, and both motions in the plane of states.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1000" "480" ARG2 ARG3
csv = ARG1
belt = 0.5 # m/s

set multiplot layout 1,2 margins 0.07,0.98,0.13,0.91 spacing 0.09
set title "A block on a belt"
set xlabel "time [s]"
set ylabel "position [m], velocity [m/s]"
set xrange [0:20]
set yrange [-0.8:0.9]
set key top right horizontal
plot csv index 0 skip 1 using 1:2 with lines linecolor rgb blue title "position", \
     csv index 0 skip 1 using 1:3 with lines linecolor rgb red title "velocity", \
     belt with lines dashtype (6,5) linecolor rgb gray title "belt"
set key top right vertical
set title "The same cycle from two starts"
set xlabel "position [m]"
set ylabel "velocity [m/s]"
set xrange [-1.2:1.8]
set yrange [-2.9:2.4]
plot csv index 1 skip 1 using 2:3 with lines linecolor rgb red title "from a larger swing", \
     csv index 0 skip 1 using 2:3 with lines linecolor rgb blue title "from the cycle's inside", \
     csv index 1 skip 1 using ($6 == 1 ? $2 : NaN):3 with points pointtype 7 pointsize 0.6 \
       linecolor rgb "#303030" title "events", \
     belt with lines dashtype (6,5) linecolor rgb gray title "belt"
unset multiplot
