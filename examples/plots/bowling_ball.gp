# The path of the ball from above, and speed and slip over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "640" ARG2 ARG3
csv = ARG1

set multiplot layout 2,1 margins 0.09,0.97,0.10,0.93 spacing 0.14
set title "A bowling ball with side spin: it slides on a curve, then rolls straight on"
set xlabel "along the lane [m]"
set ylabel "across [m]"
set key left bottom
slides(s) = s > 1e-6 ? 1 : 1/0
plot csv skip 1 using 2:(slides($5)*$3) with lines linecolor rgb red title "slides", \
     csv skip 1 using 2:($5 > 1e-6 ? 1/0 : $3) with lines linecolor rgb blue title "rolls"
unset title
set key right center
set xlabel "time [s]"
set ylabel "speed [m/s]"
set yrange [0:*]
plot csv skip 1 using 1:4 with lines linecolor rgb blue title "speed", \
     csv skip 1 using 1:5 with lines linecolor rgb red title "slip"
unset multiplot
