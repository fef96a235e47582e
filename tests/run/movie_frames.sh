#!/bin/sh
# movie_frames.sh NSDS MODEL FOLDER: the pictures that a browser draws reach ffmpeg byte by byte. Browser and ffmpeg are
# scripts here: the one writes pictures of known bytes as base64, the other takes them as they are.
set -eu
nsds=$1 model=$2 folder=$3
command -v base64 >/dev/null || { echo "skipped: there is no base64"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder/bin"
cd "$folder"
TMPDIR=$folder
[ ${#TMPDIR} -le 40 ] || TMPDIR=$(mktemp -d)
export TMPDIR
: >expected
: >page.txt
{
  echo '<html><body>data:image/jpeg;base64,AAAA is no picture of the movie'
  printf '<pre id="movie" hidden="">'
} >>page.txt
for size in 1 2 3 4 255 4096; do # every length of the last group of base64
  awk -v n=$size 'BEGIN { srand(n); for (k = 0; k < n; ++k) printf "\\%03o", (k * 37 + n + int(256 * rand())) % 256 }' >octal
  printf '%b' "$(sed 's/\\/\\0/g' octal)" >picture
  cat picture >>expected
  printf 'data:image/jpeg;base64,%s\n' "$(base64 -w 0 picture)" >>page.txt
done
echo '</pre></body></html>' >>page.txt
printf '#!/bin/sh\ncat "%s/page.txt"\n' "$folder" >bin/chromium
cat >bin/ffmpeg <<'EOF'
#!/bin/sh
while [ $# -gt 1 ]; do
  [ "$1" != -i ] || from=$2
  shift
done
cp "$from" "$1"
EOF
chmod +x bin/chromium bin/ffmpeg
PATH=$folder/bin:$PATH
"$nsds" view --movie ball.mp4 --speed 1.0 "$model"
[ "$(wc -c <expected)" -ge 4361 ] || { echo "the pictures of the test are too short"; exit 1; }
cmp ball.mp4 expected || { echo "the pictures are not those that were drawn"; exit 1; }
