# Heights of ten beads over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "640" ARG2 ARG3
csv = ARG1

set title "A column of ten beads dropped on the floor, restitution 0.9 at every contact"
set xlabel "time [s]"
set ylabel "height of the centre [m]"
set xrange [0:2]
set yrange [0:3.5]
set key outside right center reverse Left invert title "bead"
set palette defined (0 "#1b2a6b", 3 "#0b7fa5", 6 "#3aa655", 9 "#d9a514")
set cbrange [0:9]
unset colorbox
plot for [i = 0:9] csv skip 1 using 1:(column(i + 2)) with lines linecolor palette cb i \
  title sprintf("%d", i)
