# Completion of the command nsds for bash. Commands and options come from `nsds --help`, so that they are those of the
# installed command.
_nsds() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=$(nsds --help | sed -n 's/^  nsds \([a-z]*\).*/\1/p')
  elif [ "${word:0:1}" = - ]; then
    words=$(nsds "$command" --help | grep -oE '^ +--?[a-z].*' | grep -oE -- '--?[a-z][a-z-]*')
  fi
  [ -z "$words" ] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _nsds nsds
