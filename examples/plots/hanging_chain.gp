# Shapes of the chain on its way to rest; forces in its joints, beside those of the polygon.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1000" "520" ARG2 ARG3
csv = ARG1

set multiplot layout 1,2 margins 0.07,0.98,0.12,0.92 spacing 0.1
set title "From two straight halves to rest"
set xlabel "x [m]"
set ylabel "z [m]"
set xrange [-0.05:1.25]
set yrange [-1.2:0.05]
set key at graph 0.98,0.02 bottom right samplen 1.5 maxrows 4
time = "0 0.2 0.4 0.6 0.8"
shade(s) = word("#d0d0d0 #b8cfe6 #8fb5da #5b8fc0 #0b5fa5", s)
plot for [s=1:5] csv index 1 skip 1 using 2*s-1:2*s with lines linecolor rgb shade(s) title word(time, s)." s", \
     csv index 1 skip 1 using 13:14 with lines linewidth 5 linecolor rgb "#e9b9ae" title "polygon at rest", \
     csv index 1 skip 1 using 11:12 with linespoints pointtype 7 pointsize 0.6 linecolor rgb red title "12 s"
set autoscale
set title "Forces of joints on the link to the right"
set xlabel "joint"
set ylabel "force [N]"
set xrange [-1:24]
set key inside top right maxrows auto
plot csv index 2 skip 1 using ($1 < 24 ? $1 : NaN):5 with lines linewidth 5 linecolor rgb "#b8cfe6" title "polygon", \
     csv index 2 skip 1 using ($1 < 24 ? $1 : NaN):4 with lines linewidth 5 linecolor rgb "#e9b9ae" notitle, \
     csv index 2 skip 1 using ($1 < 24 ? $1 : NaN):3 with points pointtype 7 pointsize 0.7 linecolor rgb blue title "upwards", \
     csv index 2 skip 1 using ($1 < 24 ? $1 : NaN):2 with points pointtype 7 pointsize 0.7 linecolor rgb red title "along x"
unset multiplot
