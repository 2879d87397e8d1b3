#compdef tessera-info tessera-perf tessera-plot tessera-trace tessera-tune tessera-oshcc tessera-oshc++ tessera-oshrun
# Completion of Tessera's tools in zsh, installed as _tessera. scripts/check-completion compares the options with --help and the man
# pages. Names of works and variables come from tools that print them without starting MPI.

_tessera_works() {
  local -a works parts
  local part
  works=(${(f)"$(_call_program works $words[1] --complete 2>/dev/null)"}) # each is a name, spaces, and what it measures
  for part in ${works%% *}; do
    while [[ $part == *.* ]]; do
      part=${part%.*}
      parts+=($part)
    done
  done
  works=(${works/ ##/:} 'all:every work' 'list:print the names of all works')
  parts=(${(u)parts:|works})
  _describe -t works work works -- parts
}

_tessera_variables() {
  local -a variables
  variables=(${(f)"$(_call_program variables tessera-info --complete 2>/dev/null)"})
  _describe -t variables variable variables
}

case $service in
tessera-info)
  _arguments \
    '(- *)--version[print the version of Tessera, and its MPI]' \
    '(- *)--json[print everything as one JSON object]' \
    '(- *)--man[print the variables as a section of a manual page]' \
    '(- *)--complete[print the names of the variables]' \
    '(- *)--memory[print the memory of each unit of such a job]:number of units: :number of nodes: ' \
    '(- *)--explain[print what carries messages between nodes, or the path of a transfer]::from unit: ::to unit: ::bytes: ' \
    '(- *)--topology[draw packages, NUMA nodes, caches and cores]' \
    '(- *)--check[start and end the runtime, and print what limits it]' \
    '(- *)--help[print the options]'
  ;;
tessera-perf)
  _arguments \
    '(--csv)--json[print one JSON object per line]' \
    '(--json)--csv[print a line of headings, then comma-separated values]' \
    '--bytes[sizes]:list of sizes, such as 8,4K,1M: ' \
    '--seconds[time per point]:seconds: ' \
    '--reps[batches per point]:number: ' \
    '--target[the unit that unit 0 accesses]:unit: ' \
    "--no-limit[do not measure the machine's own limits]" \
    '--progress[print which work runs, also without a terminal]' \
    '(- *)--complete[print the names of works without starting MPI]' \
    '(- *)--help[print the options]' \
    '*:work:_tessera_works'
  ;;
tessera-plot)
  _arguments \
    '--output[the folder for the pictures]:folder:_files -/' \
    '(- *)--help[print the options]' \
    '1:result:_files' \
    '2:second result:_files'
  ;;
tessera-trace)
  _arguments \
    '--output[the file to write]:file:_files' \
    '(- *)--version[print the version]' \
    '(- *)--help[print the options]' \
    '1:name of the timelines:_files'
  ;;
tessera-tune)
  _arguments \
    '--seconds[time per algorithm and size]:seconds: ' \
    '(- *)--help[print the options]' \
    '1:table:_files'
  ;;
tessera-oshcc | tessera-oshc++)
  _arguments \
    {-show,-showme}'[print the command instead of running it]' \
    {-compile-info,-showme\\:compile}'[print the flags for compiling]' \
    {-link-info,-showme\\:link}'[print the flags for linking]' \
    '-showme\:command[print the compiler]' \
    '-showme\:incdirs[print folders of headers]' \
    '-showme\:libdirs[print folders of libraries]' \
    '-showme\:libs[print libraries]' \
    '-showme\:version[print the version]' \
    {--help,-showme\\:help}'[print the options]' \
    '*:file:_files'
  ;;
tessera-oshrun)
  if [[ $words[CURRENT-1] == -(x|env|genv) ]]; then # options of the launchers
    _tessera_variables
    return
  fi
  _arguments \
    {-n,-np}'[how many processes]:number: ' \
    '-N[how many of them on each node]:number: ' \
    '-show[print the command instead of running it]' \
    '(- *)--help[print the options]' \
    '(-):program:_command_names -e' \
    '*::argument:_normal'
  ;;
esac
