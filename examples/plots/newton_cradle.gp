# Newton's cradle: the ways of five balls by three laws of impact and with balls that deform.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1000" "820" ARG2 ARG3
csv = ARG1
array title_of[4] = ["Newton: e = 1, one problem", "Poisson: e = 1, two problems", \
                     "distributing: e = 1, {/Symbol h} = 1.5", \
                     "no law: balls of steel that deform, by Hertz"]

set multiplot layout 4,1 margins 0.08,0.97,0.07,0.96 spacing 0.055
set xrange [0:4]
set yrange [-7:15]
set ytics 5
set ylabel "place [cm]"
set format x ""
unset key
do for [law=0:3] {
  set title title_of[law + 1] offset 0,-0.6
  if (law == 3) {
    set format x "%g"
    set xlabel "time [s]"
  }
  plot for [i=1:5] csv skip 1 using ($1 == law ? $2 : NaN):(100 * column(2 + i) + 2 * (i - 1)) \
    with lines linewidth 1.5 linecolor rgb (i < 3 ? blue : red)
}
unset multiplot
