# The path of a mass on a string that goes slack, its tension and its energy over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1000" "560" ARG2 ARG3
csv = ARG1

set multiplot
set title "A mass on a string, pushed with v^2 = 4 g l"
set lmargin at screen 0.07
set rmargin at screen 0.46
set tmargin at screen 0.91
set bmargin at screen 0.12
set size ratio -1
set parametric
set trange [0:2 * pi]
set xrange [-1.15:1.15]
set yrange [-1.2:1.2]
set xlabel "x [m]"
set ylabel "z [m]"
set arrow 1 from -1.15, 2.0/3 to 1.15, 2.0/3 nohead dashtype (6,5) linecolor rgb gray
set label 1 "z = 2/3 l" at -1.1, 0.74 textcolor rgb gray
set key bottom right
plot cos(t), sin(t) with lines linecolor rgb "#dcdcdc" notitle, \
     csv skip 1 using 2:3 with lines linecolor rgb blue title "mass", \
     csv skip 1 using ($10 == 1 ? $2 : NaN):3 with points pointtype 6 linecolor rgb red \
       title "slack", \
     csv skip 1 using ($10 == 2 ? $2 : NaN):3 with points pointtype 7 linecolor rgb red \
       title "caught"
unset parametric
unset arrow 1
unset label 1
set size noratio
set key top right
set lmargin at screen 0.56
set rmargin at screen 0.97
set tmargin at screen 0.91
set bmargin at screen 0.54
set title "tension, and impulse where the string catches"
unset xlabel
set format x ""
set ylabel "tension [N]"
set xrange [0:6]
set yrange [0:60]
plot csv skip 1 using 1:7 with lines linecolor rgb blue title "tension", \
     csv skip 1 using ($8 > 1e-6 ? $1 : NaN):($8 * 10) with impulses linecolor rgb red \
       title "impulse [0.1 N s]"
set tmargin at screen 0.49
set bmargin at screen 0.12
unset title
set format x "%g"
set xlabel "time [s]"
set ylabel "energy [J]"
set yrange [0:25]
plot csv skip 1 using 1:9 with lines linecolor rgb blue notitle
unset multiplot
