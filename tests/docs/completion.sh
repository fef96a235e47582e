#!/usr/bin/env bash
# completion.sh NSDS SCRIPT: the completion of bash knows commands and options of the command.
set -eu
mkdir -p completion_bin
ln -sf "$1" completion_bin/nsds
PATH=$PWD/completion_bin:$PATH
. "$2"
complete_words() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _nsds
  echo "${COMPREPLY[*]}"
}
[[ " $(complete_words nsds '') " == *" run "*" sweep "*" solve "* ]] || { echo "commands: $(complete_words nsds '')"; exit 1; }
[ "$(complete_words nsds sw)" = sweep ] || { echo "sw: $(complete_words nsds sw)"; exit 1; }
[ "$(complete_words nsds sweep --ov)" = --over ] || { echo "--ov: $(complete_words nsds sweep --ov)"; exit 1; }
[ -z "$(complete_words nsds run model)" ] || { echo "a file was taken for an option"; exit 1; }
