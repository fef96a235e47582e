# The drum from the side, far spheres drawn first; its layers, its slope, its energy.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1000" "900" ARG2 ARG3
csv = ARG1
steady = 1.5
stats csv index 0 skip 1 using ($1 > steady ? $2 : NaN) nooutput name "SLOPE"
inner = 90.0

set multiplot layout 2,2 margins 0.07,0.98,0.07,0.95 spacing 0.1,0.13
set title "After six seconds, by speed [m/s]; line: mean slope"
set size ratio -1
unset key
set xrange [-105:105]
set yrange [-105:105]
set xlabel "x [mm]"
set ylabel "z [mm]"
set palette defined (0 "#dfe9f3", 0.35 "#5b8fc0", 1 "#c4432b")

set cbrange [0:0.5]
set style fill solid 1.0 border rgb "#404040"
set parametric
set trange [0:2*pi]
set label 1 at 0,0 "" point pointtype 2 pointsize 1
s = SLOPE_mean * pi / 180.0
# the chord at a third of the radius below the axis, along the slope
set arrow 1 from inner*(0.27*sin(s)-0.9*cos(s)),inner*(-0.27*cos(s)-0.9*sin(s)) to inner*(0.27*sin(s)+0.9*cos(s)),inner*(-0.27*cos(s)+0.9*sin(s)) nohead dashtype 2 linewidth 1.6 linecolor rgb "#303030" front
plot inner*cos(t), inner*sin(t) with lines linewidth 3 linecolor rgb gray, \
     sprintf("< awk -F, 'f && NF == 5 { print } /^x/ { f = 1 }' '%s' | sort -t, -k2,2gr", csv) \
     using (1e3*$1):(1e3*$3):(1e3*$4):5 with circles linecolor palette
unset parametric
unset arrow 1
unset label 1
set size noratio
set autoscale x
set autoscale y
set key top left
set title "Velocity along the slope, at the middle of the bed"
set xlabel "distance from the axis [mm]"
set ylabel "up the slope [m/s]"
plot csv index 1 skip 1 using (1e3*$1):2 with linespoints pointtype 7 linecolor rgb blue title "spheres", \
     csv index 1 skip 1 using (1e3*$1):3 with lines dashtype 2 linecolor rgb gray title "turning with the drum"
set title sprintf("Slope: %.1f degrees on average after %.1f s", SLOPE_mean, steady)
set xlabel "time [s]"
set ylabel "slope [degrees]"
set yrange [0:45]
unset key
plot csv index 0 skip 1 using 1:2 with lines linecolor rgb blue
set autoscale y
set key top left
set title "Where the work of the drum goes"
set ylabel "energy [J]"
first_energy = system(sprintf("sed -n 2p '%s' | cut -d, -f6", csv)) + 0
plot csv index 0 skip 1 using 1:($7+$8+$6-first_energy) with lines linewidth 5 linecolor rgb "#b8cfe6" title "energy gained, friction, impacts", \
     csv index 0 skip 1 using 1:5 with lines linecolor rgb blue title "work of the drum", \
     csv index 0 skip 1 using 1:7 with lines linecolor rgb red title "friction", \
     csv index 0 skip 1 using 1:8 with lines linecolor rgb gray title "impacts"
unset multiplot
