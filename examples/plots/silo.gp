# A silo while it runs out; the rates with Beverloo's law; discs through over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "1000" "900" ARG2 ARG3
csv = ARG1
law(row, column) = real(system(sprintf("awk -F, 'f && NF == 5 && ++n == %d { print $%d } /^C,k/ { f = 1 }' '%s'", row, column, csv)))
C = law(1, 1)
k = law(1, 2)
free = law(2, 3)
least = law(2, 4)
most = law(2, 5)

set multiplot
set size 0.5,1.0
set origin 0,0
set title "The widest opening, by speed [m/s]"
set size ratio -1
unset key
set xrange [-160:160]
set yrange [-60:300]
set xlabel "x [mm]"
set ylabel "y [mm]"
set palette defined (0 "#dfe9f3", 0.35 "#5b8fc0", 1 "#c4432b")
set cbrange [0:1]
set style fill solid 1.0 border rgb "#404040" 
set style fill noborder
set arrow 1 from -150,300 to -150,0 nohead linewidth 3 linecolor rgb gray
set arrow 2 from 150,300 to 150,0 nohead linewidth 3 linecolor rgb gray
set arrow 3 from -150,0 to -60,0 nohead linewidth 3 linecolor rgb gray
set arrow 4 from 150,0 to 60,0 nohead linewidth 3 linecolor rgb gray
plot csv index 3 skip 1 using (1e3*$1):(1e3*$2):(1e3*$3):4 with circles linecolor palette
unset arrow
set size noratio
set autoscale
set size 0.5,0.5
set origin 0.5,0.5
set key top left
set title sprintf("C = %.2f, k = %.2f; exponent of a free fit %.2f (%.2f to %.2f)", C, k, free, least, most)
set xlabel "width of the opening D / d"
set ylabel "W (d/g)^{1/2}"
set xrange [0:13]
set yrange [0:*]
plot csv index 0 skip 1 using 1:3 with points pointtype 7 pointsize 1.2 linecolor rgb blue title "discs per second", \
     (x > k ? C * (x - k)**1.5 : 0) with lines linecolor rgb red title "C (D/d - k)^{3/2}"
set origin 0.5,0
set title "Discs through the opening"
set xlabel "time [s]"
set ylabel "discs"
set autoscale x
plot for [i=2:6] csv index 2 skip 1 using 1:i with lines linewidth 1.4 title sprintf("D = %g d", 3 + 1.5 * i)
unset multiplot
