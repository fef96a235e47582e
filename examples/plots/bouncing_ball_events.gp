# Heights of three balls over time, with the limit of each series of impacts, and the velocity of the
# first near its limit.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "760" ARG2 ARG3
csv = ARG1
limit = "< awk -F, '$6 + 0 > 0 { print $6 }' '".csv."'" # of the first two balls
stats limit using 1 nooutput
ceiling = STATS_max
stats limit using 1 every ::0::0 nooutput
dropped = STATS_max

set multiplot layout 2,2 margins 0.08,0.97,0.08,0.94 spacing 0.10,0.13
set xlabel "time [s]"
set title "dropped from 1 m, e = 0.8"
set ylabel "height [m]"
set xrange [0:5]
set yrange [0:1.1]
set arrow 1 from dropped, graph 0 to dropped, graph 1 nohead dashtype (6,5) linecolor rgb gray
set label 1 sprintf("at rest from\n%.9f s", dropped) at dropped, graph 0.9 offset -1,0 right
plot csv index 0 skip 1 using 1:2 with lines linecolor rgb blue notitle
set title "between floor and ceiling, e = 0.8, g = 10 m/s^2"
set xrange [0:8]
set yrange [0:1.7]
set arrow 1 from ceiling, graph 0 to ceiling, graph 1 nohead dashtype (6,5) linecolor rgb gray
set label 1 sprintf("at rest from\n%.9f s", ceiling) at ceiling, graph 0.9 offset -1,0
plot csv index 1 skip 1 using 1:2 with lines linecolor rgb blue notitle
set title "dropped: impacts before the limit"
set ylabel "speed before and after the impact [m/s]"
set xlabel "time before the limit [s]"
set logscale xy
set format xy "10^{%T}"
set xrange [10:1e-7]
set yrange [1e-7:10]
unset arrow 1
unset label 1
plot csv index 0 skip 1 using (dropped - $1 > 0 && $4 > 0 ? dropped - $1 : NaN):($4 - $3) \
       with points pointtype 7 pointsize 0.5 linecolor rgb red title "before", \
     csv index 0 skip 1 using (dropped - $1 > 0 && $4 > 0 ? dropped - $1 : NaN):3 \
       with points pointtype 6 pointsize 0.7 linecolor rgb blue title "after"
unset logscale
set format "%g"
set title "force of the floor"
set xlabel "time [s]"
set ylabel "force [N]"
set xrange [0:8]
set yrange [-1:14]
plot csv index 0 skip 1 using 1:5 with steps linecolor rgb blue title "dropped", \
     csv index 1 skip 1 using 1:5 with steps linecolor rgb red title "below a ceiling", \
     csv index 2 skip 1 using 1:5 with steps linecolor rgb gray title "at rest from the start"
unset multiplot
