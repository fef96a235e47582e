# Bifurcation diagram: velocities after impacts over the speed of the camshaft.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "930" "600" ARG2 ARG3
csv = ARG1

unset key
set lmargin at screen 0.1 # 800 pixels: one for each speed of the default
set rmargin at screen 0.1 + 800.0 / 930
set title "Cam follower: velocities after impacts, once the motion has settled down"
set xlabel "speed of the camshaft [rpm]"
set ylabel "relative velocity after the impact [m/s]"
set xrange [350:750]
set yrange [0:130]
plot csv skip 1 using 1:4 with dots linecolor rgb blue
