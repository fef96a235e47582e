# Cam and follower over time at three speeds, event-driven and by time stepping.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "900" ARG2 ARG3
csv = ARG1
speeds = "358 660 700"
top = "0.7 1.5 4"

set multiplot layout 3,1 margins 0.08,0.97,0.07,0.95 spacing 0.08
set xrange [0:2]
set ylabel "lift [m]"
set key top right horizontal
do for [k = 0:2] {
  set title "Cam follower at ".word(speeds, k + 1)." rpm, restitution 0.8"
  set yrange [0:word(top, k + 1) + 0.0]
  if (k == 2) { set xlabel "time [s]" }
  plot csv index k skip 1 using 1:2 with filledcurves y1=0 fillcolor rgb "#dedad2" title "cam", \
       csv index k skip 1 using 1:3 with lines linecolor rgb blue title "event-driven", \
       csv index k skip 1 using 1:4 with lines linecolor rgb red dashtype (5,4) \
         title "time stepping, 0.1 ms"
}
unset multiplot
