# Motions in the plane of gap and relative velocity at three speeds; lines down and up at gap zero are
# impacts.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1100" "460" ARG2 ARG3
csv = ARG1
speeds = "358 660 700"
colours = blue." ".red." #3aa655"

set multiplot layout 1,3 margins 0.06,0.98,0.13,0.90 spacing 0.06
set xlabel "gap between follower and cam [m]"
unset key
set xrange [0:*]
set ylabel "relative velocity [m/s]"
do for [k = 0:2] {
  set title "Cam follower at ".word(speeds, k + 1)." rpm"
  plot csv index k skip 1 using ($3 - $2):5 with lines linewidth 0.6 \
    linecolor rgb word(colours, k + 1)
  unset ylabel
}
unset multiplot
