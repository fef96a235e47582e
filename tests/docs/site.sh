#!/bin/sh
# site.sh ROOT FOLDER: script/site makes the site, and finds planted links that lead nowhere.
set -eu
root=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/script" "$folder/docs"
cp "$root/script/site" "$folder/script"
printf '# A\n\n[one](docs/b.md), [two](docs/c.md), [three](docs/b.md#there), [four](docs/b.md#nowhere)\n' >"$folder/README.md"
printf '# B\n\n## There\n\n`[no link](x.md)`\n' >"$folder/docs/b.md"
found=$("$folder/script/site" "$folder/out" 2>&1) && { echo "broken links were not found"; exit 1; }
[ "$found" = "README.md: no file docs/c.md
README.md: no heading docs/b.md#nowhere
site: 2 links lead nowhere" ] || { echo "found: $found"; exit 1; }

made=$("$root/script/site" "$folder/site" 2>&1) || {
  case $made in *"there is no mkdocs"*) echo "skipped: no mkdocs (see packages.txt); links are right"; exit 0 ;; esac
  echo "$made"
  exit 1
}
grep -q 'first-page-contact-mechanics\|First page: contact mechanics' "$folder/site/mechanics.html"
[ -f "$folder/site/source/pictures/crate.png" ]
! grep -rli jquery "$folder/site" --include=*.html || { echo "jquery is asked for"; exit 1; }
python=/usr/bin/python3
[ -x $python ] || python=python3
$python -B "$root/tests/docs/site_look.py" "$folder/site"
