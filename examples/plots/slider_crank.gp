# The play of the block: its height in the guide and its tilt over time; the energy.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "520" ARG2 ARG3
csv = ARG1

set multiplot layout 1,2 margins 0.08,0.97,0.12,0.91 spacing 0.13
set title "The block between its walls"
set xlabel "crank [turns]"
set ylabel "height of the block [mm]"
set yrange [-1.6:1.6]
set arrow from graph 0, first 1 to graph 1, first 1 nohead linewidth 3 linecolor rgb gray
set arrow from graph 0, first -1 to graph 1, first -1 nohead linewidth 3 linecolor rgb gray
plot csv skip 1 using ($2/(2*pi)):(1e3*($4+0.05*$5)) with lines linecolor rgb red title "right end", \
     csv skip 1 using ($2/(2*pi)):(1e3*($4-0.05*$5)) with lines linecolor rgb blue title "left end"
unset arrow
set autoscale
set title "Energy falls at impacts and by friction"
set xlabel "crank [turns]"
set ylabel "energy [J]"
plot csv skip 1 using ($2/(2*pi)):10 with lines linecolor rgb blue notitle
unset multiplot
