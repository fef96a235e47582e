# Sliding variable and control, explicit and implicit.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "640" ARG2 ARG3
csv = ARG1

set multiplot layout 2,1 margins 0.09,0.97,0.10,0.93 spacing 0.06
set xrange [0.4:1]
set format x ""
set title "Sampled sliding-mode control every 10 ms: explicit chatters, implicit does not"
set ylabel "sliding variable x2"
set yrange [-0.12:0.05]
set key bottom right
plot csv skip 1 using 1:2 with lines linecolor rgb red title "explicit", \
     csv skip 1 using 1:4 with lines linecolor rgb blue title "implicit"
unset title
set xlabel "time [s]"
set ylabel "control u"
set format x "%g"
set yrange [-1.2:1.6]
set key top right horizontal
plot csv skip 1 using 1:3 with steps linewidth 0.6 linecolor rgb red title "explicit", \
     csv skip 1 using 1:5 with steps linecolor rgb blue title "implicit", \
     0.5*sin(50*x) with lines dashtype (6,4) linecolor rgb gray title "half of the disturbance"
unset multiplot
