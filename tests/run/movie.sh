#!/bin/sh
# movie.sh NSDS MODEL FOLDER: a movie has the pictures that its length and speed ask for, the first and the last differ,
# and what cannot become a movie is refused. The folder with the pictures is gone afterwards.
set -eu
nsds=$1 model=$2 folder=$3
for program in chromium ffmpeg ffprobe; do
  command -v $program >/dev/null || { echo "skipped: there is no $program (Debian: chromium, ffmpeg)"; exit 77; }
done
rm -rf "$folder"
mkdir -p "$folder/tmp"
cd "$folder"
TMPDIR=$folder/tmp
[ ${#TMPDIR} -le 40 ] || TMPDIR=$(mktemp -d)
export TMPDIR
"$nsds" view --movie ball.mp4 --speed 1.0 "$model"
end=$("$nsds" run "$model" 2>/dev/null | tail -1 | cut -d, -f1)
count=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 ball.mp4)
expected=$(awk -v t="$end" 'BEGIN { print int(25 * t + 1e-9) + 1 }')
[ "$count" -eq "$expected" ] || { echo "$count pictures, expected $expected"; exit 1; }
ffmpeg -v error -i ball.mp4 -vf "select='eq(n,0)+eq(n,$((count / 2)))'" -vsync 0 picture%d.png
if cmp -s picture1.png picture2.png; then echo "the ball does not move"; exit 1; fi
refused() { # WORDS ARGUMENTS OF VIEW...
  words=$1
  shift
  if "$nsds" view "$@" 2>said.txt; then echo "accepted: $*"; exit 1; fi
  grep -q "$words" said.txt || { cat said.txt; exit 1; }
}
refused 'ffmpeg could not write it' --movie ball.nothing "$model"
printf 'title\nV1 a 0 1\nR1 a 0 1\n.tran 1m 10m\n.end\n' >flat.cir
refused 'needs a model with bodies' --movie flat.mp4 flat.cir
[ -z "$(ls "$TMPDIR")" ] || { echo "left behind: $(ls "$TMPDIR")"; exit 1; }

# The old movie stays until the new one is complete, and a path that cannot be written is told before the run.
cp ball.mp4 old.mp4
refused 'ffmpeg could not write it' --movie old.nothing "$model"
[ ! -e old.nothing ] && [ ! -e old.nothing.new ] || { echo "a part of a movie is left"; exit 1; }
PATH_OF_TOOLS=$PATH
mkdir fake
printf '#!/bin/sh\nfor last; do :; done\necho part >"$last"\nexit 1\n' >fake/ffmpeg
chmod +x fake/ffmpeg
PATH=$folder/fake:$PATH
refused 'ffmpeg could not write it' --movie old.mp4 --speed 5 "$model"
PATH=$PATH_OF_TOOLS
cmp ball.mp4 old.mp4 || { echo "a failed movie has taken the place of the old one"; exit 1; }
[ ! -e old.mp4.new ] || { echo "a part of a movie is left"; exit 1; }
refused 'No such file' --movie "$folder/nowhere/ball.mp4" "$model"
[ -z "$(ls "$TMPDIR")" ] || { echo "left behind: $(ls "$TMPDIR")"; exit 1; }
