# Completion of Tessera's tools in bash, installed under the name of each tool. One function completes all; it needs nothing of the
# package bash-completion. scripts/check-completion compares the options with --help and the man pages. Names of works and variables
# come from tools that print them without starting MPI.

# _tessera COMMAND WORD PREVIOUS: as bash calls it. WORD is taken from the line, because bash splits words at colons.
_tessera() {
  local command=${1/#\~/$HOME} word=${COMP_LINE:0:COMP_POINT} words='' i
  word=${word##*[[:space:]]}
  case ${1##*/}:$3:$word in
  tessera-info:"$1":*) words='--version --json --man --complete --memory --explain --topology --check --help' ;;
  tessera-perf:--bytes:* | tessera-perf:--seconds:* | tessera-perf:--reps:* | tessera-perf:--target:*) ;;
  tessera-perf:*:-*) words='--json --csv --bytes --seconds --reps --target --no-limit --progress --complete --help' ;;
  tessera-perf:*) # names, and what is before a dot of them
    words="all list $("$command" --complete 2>/dev/null | sed -n 's/ .*//; p; :part; s/\.[^.]*$//p; t part')" ;;
  tessera-plot:--output:* | tessera-trace:--output:*) ;;
  tessera-plot:*:-*) words='--output --help' ;;
  tessera-trace:*:-*) words='--output --version --help' ;;
  tessera-tune:*:-*) words='--seconds --help' ;;
  tessera-oshcc:*:-* | tessera-oshc++:*:-*)
    words='-show -showme -compile-info -link-info --help
      -showme:compile -showme:link -showme:command -showme:incdirs -showme:libdirs -showme:libs -showme:version -showme:help' ;;
  tessera-oshrun:*)
    # The program is the first word that is neither an option nor behind one.
    for ((i = 1; i < COMP_CWORD; i++)); do
      [[ ${COMP_WORDS[i]} != -* && (i -eq 1 || ${COMP_WORDS[i - 1]} != -*) ]] || continue
      _tessera "${COMP_WORDS[i]}" "$2" "$3"
      return
    done
    case $3:$word in
    -x:* | -env:* | -genv:*) words=$(tessera-info --complete 2>/dev/null) ;; # options of the launchers
    *:-*) words='-n -np -N -show --help' ;;
    *) [[ $3 == -* || -z $word || $word == */* ]] || words=$(compgen -c -- "$word") ;;
    esac ;;
  esac
  # shellcheck disable=SC2207 # names have no spaces
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  # Readline replaces what follows the last colon only.
  [[ $COMP_WORDBREAKS != *:* ]] || COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*:}"}"}")
}
complete -F _tessera tessera-info tessera-perf
# Where there is nothing else, files.
complete -o default -F _tessera tessera-plot tessera-trace tessera-tune tessera-oshcc tessera-oshc++ tessera-oshrun
