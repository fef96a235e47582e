# The woodpecker toy: its way down, and the cycle of the bird.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1000" "480" ARG2 ARG3
csv = ARG1

set multiplot layout 1,2 margins 0.07,0.98,0.13,0.91 spacing 0.10
set title "Down the pole"
set xlabel "time [s]"
set ylabel "height of the sleeve [mm]"
plot csv skip 1 using 1:($2*1e3) with lines linecolor rgb blue title "sleeve", \
     csv skip 1 using ($11 == 1 ? $1 : NaN):($2*1e3) with points pointtype 7 pointsize 0.6 \
       linecolor rgb red title "impacts"
set title "The bird comes to a cycle"
set xlabel "tilt of the bird [rad]"
set ylabel "its rate [rad/s]"
plot csv skip 1 using 4:7 with lines linecolor rgb blue notitle, \
     csv skip 1 using ($11 == 1 ? $4 : NaN):7 with points pointtype 7 pointsize 0.6 \
       linecolor rgb red title "impacts"
unset multiplot
