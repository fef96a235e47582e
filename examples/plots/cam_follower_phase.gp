# Phase portraits of the gap between cam and follower at the second and third speed of the file (660
# and 700 rpm).
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "480" ARG2 ARG3
csv = ARG1

set multiplot layout 1,2 margins 0.09,0.97,0.13,0.90 spacing 0.09
set xlabel "gap between follower and cam [m]"
set ylabel "relative velocity [m/s]"
unset key
set title "Cam follower at 660 rpm"
set xrange [0:1.2]
set yrange [-60:60]
plot csv skip 1 using ($8 - $7):10 with lines linewidth 0.6 linecolor rgb blue
unset ylabel
set title "Cam follower at 700 rpm"
set xrange [0:3.2]
set yrange [-150:150]
plot csv skip 1 using ($13 - $12):15 with lines linewidth 0.6 linecolor rgb red
unset multiplot
