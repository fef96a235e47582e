# The path of the end with the rods at some times, and the energy over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "520" ARG2 ARG3
csv = ARG1

set multiplot layout 1,2 margins 0.08,0.97,0.12,0.91 spacing 0.13
set title "A double pendulum beside a wall"
set size ratio -1
set xrange [-0.65:1.1]
set yrange [-1.1:1.1]
set xlabel "x [m]"
set ylabel "z [m]"
set arrow from -0.6,-1.1 to -0.6,1.1 nohead linewidth 3 linecolor rgb gray
plot csv skip 1 using 4:5 with lines linewidth 0.5 linecolor rgb blue title "end", \
     csv skip 1 every 60::0::420 using (0):(0):2:3 with vectors nohead linecolor rgb red \
       title "rods", \
     csv skip 1 every 60::0::420 using 2:3:($4-$2):($5-$3) with vectors nohead \
       linecolor rgb red notitle
unset arrow
set size noratio
set autoscale
set title "Energy falls at impacts"
set xlabel "time [s]"
set ylabel "energy [J]"
plot csv skip 1 using 1:9 with lines linecolor rgb blue notitle
unset multiplot
