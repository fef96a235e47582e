#!/bin/sh
# finds_prose.sh ROOT FOLDER: script/prose finds planted sentences, in Markdown and in a header, and no others.
set -eu
root=$1 folder=$2
mkdir -p "$folder"
cat >"$folder/planted.md" <<'END'
# A page

The step reads the state. What it writes is the trial state. Its end is the state of the model.

    What is code does not count, and neither does `It`.

This sentence goes on and on with one more clause and then another one, until nobody who reads it remembers how
it began or whom it was about at all.
END
cat >"$folder/planted.h" <<'END'
/** Of three forces the last one counts. */
int third(void);
/** Returns the force in N. */
int force(void);
END
found=$("$root/script/prose" "$folder/planted.md" "$folder/planted.h") && { echo "nothing was found"; exit 1; }
echo "$found"
[ "$(echo "$found" | wc -l)" -eq 4 ]
for fault in 'opens with What' 'starts with Its' ' words: ' 'opens with Of'; do
  echo "$found" | grep -q "$fault" || { echo "not found: $fault"; exit 1; }
done
