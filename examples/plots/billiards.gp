# A break from above: the ways of all balls, and where they are at the end; speeds over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1000" "900" ARG2 ARG3
csv = ARG1
radius = 0.02858
last = int(system(sprintf("awk 'END { print NR - 2 }' '%s'", csv)))

set multiplot
set origin 0,0.36
set size 1,0.64
set title "A break: 15 balls and the cue ball, 2.5 s; rings where they start, discs where they end"
set size ratio -1
set xrange [0:2.54]
set yrange [0:1.27]
set xlabel "along the table [m]"
set ylabel "across [m]"
set border 15
unset key
plot for [i=1:15] csv skip 1 using (column(2 + 3*i)):(column(3 + 3*i)) \
       with lines linewidth 1 linecolor rgb "#7aa6cc", \
     csv skip 1 using 2:3 with lines linewidth 1.5 linecolor rgb red, \
     for [i=0:15] csv skip 1 every ::0::0 using (column(2 + 3*i)):(column(3 + 3*i)):(radius) \
       with circles linecolor rgb gray, \
     for [i=1:15] csv skip 1 every ::last::last using (column(2 + 3*i)):(column(3 + 3*i)):(radius) \
       with circles fillstyle solid noborder linecolor rgb blue, \
     csv skip 1 every ::last::last using 2:3:(radius) \
       with circles fillstyle solid noborder linecolor rgb red
set origin 0,0
set size 1,0.36
set size noratio
unset title
set border 3
set xrange [0:2.5]
set yrange [0:8.5]
set xlabel "time [s]"
set ylabel "speed [m/s]"
set key right top
plot for [i=1:15] csv skip 1 using 1:(column(4 + 3*i)) with lines linewidth 0.8 linecolor rgb "#7aa6cc" \
       notitle, \
     csv skip 1 using 1:4 with lines linewidth 1.5 linecolor rgb red title "cue ball: slides, hits, rolls"
unset multiplot
