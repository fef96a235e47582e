# Sections of the attractor of the cam follower at 660 rpm: impacts, and the start of turns.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1100" "520" ARG2 ARG3
csv = ARG1

set multiplot layout 1,2 margins 0.07,0.98,0.12,0.91 spacing 0.09
unset key
set title "Impacts at 660 rpm"
set xlabel "angle of the camshaft [rad]"
set ylabel "relative velocity after the impact [m/s]"
set xrange [0:2 * pi]
set xtics ("0" 0, "π/2" pi / 2, "π" pi, "3π/2" 3 * pi / 2, "2π" 2 * pi)
set yrange [0:*]
plot csv index 3 skip 1 using ($6 == 1 ? $2 : NaN):5 with dots linecolor rgb blue
set title "State at the start of each turn"
set xlabel "gap between follower and cam [m]"
set ylabel "relative velocity [m/s]"
set xtics autofreq
set xrange [0:*]
set yrange [*:*]
plot csv index 3 skip 1 using ($6 == 0 ? $3 : NaN):5 with dots linecolor rgb red
unset multiplot
