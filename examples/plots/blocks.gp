# What pictures of blocks share: faces with light from one side, the far ones first.
set pm3d depthorder border linecolor rgb "#303030" linewidth 0.6
set pm3d lighting primary 0.45 specular 0.05
set style fill solid 1.0
set xyplane at 0
set view equal xyz
set grid noxtics noytics noztics
set xlabel "x [m]"
set ylabel "y [m]"
set zlabel "z [m]" rotate
color(i) = i % 2 ? "#5b8fc0" : "#d9a15b"
