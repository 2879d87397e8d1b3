# Messages of the library as patterns for grep -E; sourced by fault.sh and by scripts that run jobs by themselves.
#
#   message PATTERN   "[unit N|host H] TSR-0123 VALUE..." becomes the pattern of an error or a warning with this identifier and these
#                     values as words in this order, whatever its wording; values may be patterns without blanks. Anything else
#                     stays as it is
message() {
  case $1 in
    TSR-* | \(TSR-* | "unit "*" TSR-"* | "unit "*" (TSR-"* | "host "*" TSR-"*) ;;
    *)
      printf '%s' "$1"
      return
      ;;
  esac
  set -f
  # shellcheck disable=SC2086 # its words
  set -- $1
  set +f
  line=
  case $1 in
    unit) line="unit $2 @[^ ]*\] " ;;
    host) line="@$2\] " ;;
  esac
  [ -z "$line" ] || shift 2
  line="$line(error|warning): $1 "
  shift
  for value; do line="$line.*\\<$value\\>"; done
  printf '%s' "$line"
}
