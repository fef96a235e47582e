# The pile from the front, far spheres drawn first; contacts and energy over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "900" ARG2 ARG3
csv = ARG1

set multiplot
set size 1,0.62
set origin 0,0.38
set title "Spheres in a box, three seconds after they were dropped"
set size ratio -1
set style fill solid 1.0 border rgb "#404040"
unset key
set xlabel "x [m]"
set ylabel "z [m]"
set offsets 0,0,1,0
# near spheres (small y) are light
shade(y) = int(60 + 180 * exp(-0.12 * y))
color(y) = 65536 * int(0.55 * shade(y)) + 256 * int(0.75 * shade(y)) + shade(y)
plot sprintf("< awk -F, 'f && NF == 3 { print } /^x/ { f = 1 }' '%s' | sort -t, -k2,2gr", csv) \
     using 1:3:(0.5):(color($2)) with circles linecolor rgb variable
set size noratio
set size 1,0.38
set origin 0,0
unset title
set offsets
set key bottom right
set xlabel "time [s]"
set ylabel "contacts"
set y2label "kinetic energy [J]"
set ytics nomirror
set y2tics
set logscale y2
plot csv index 0 skip 1 using 1:2 with lines linecolor rgb blue title "contacts", \
     csv index 0 skip 1 using 1:5 axes x1y2 with lines linecolor rgb red title "kinetic energy"
unset multiplot
