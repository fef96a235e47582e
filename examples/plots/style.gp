# Look shared by all plots: a PNG terminal (cairo where gnuplot has it), a light grid, one set of
# colours. Each plot is run as
#
#   gnuplot -c PLOT.gp IN.csv OUT.png [SCALE]
#
# and starts with  call "style.gp" WIDTH HEIGHT OUT.png SCALE;  SCALE 1 is the size it was made for.
set encoding utf8
scale = ARG4 eq "" ? 1.0 : real(ARG4)
width = int(scale * real(ARG1))
height = int(scale * real(ARG2))
if (strstrt(GPVAL_TERMINALS, "pngcairo") > 0) {
  set terminal pngcairo size width,height background "white" fontscale scale \
    linewidth 1.5 * scale font "sans,11"
} else {
  set terminal png truecolor size width,height linewidth 1.5 * scale
}
set output ARG3
set datafile separator ","
set border 3 linewidth 0.8 linecolor rgb "#5a5a5a"
set tics nomirror out scale 0.6 textcolor rgb "#303030"
set grid linecolor rgb "#dcdcdc" linewidth 0.7 linetype 1
set key right top samplen 2.5 spacing 1.2
blue = "#0b5fa5"
red = "#c4432b"
gray = "#8a8a8a"
