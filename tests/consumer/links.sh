#!/bin/sh
# links.sh PREFIX: every link of an installed document leads to an installed file.
set -eu
cd "$1"
failed=0
for page in $(find share/doc -name '*.md'); do
  folder=$(dirname "$page")
  # code blocks and code in lines have no links
  for link in $(awk '/^ *```/ { inside = !inside } !inside' "$page" | sed 's/`[^`]*`//g' | grep -o ']([^) ]*)' | sed 's/^](//; s/)$//; s/#.*//'); do
    case $link in http:* | https:* | mailto:*) continue ;; esac
    [ -e "$folder/$link" ] || { echo "$page: there is no $link"; failed=1; }
  done
done
exit $failed
