# Completion of halo's options and their values, for bash.

# Names that start a line of one of halo's lists: _halo_names HALO OPTION.  Those that take arguments
# end in a colon; where the arguments may be left out, both are offered.
_halo_names()
{
  local name
  "$1" "$2" 2> /dev/null | while read -r name _; do
    if [[ $name == *[:]* ]]; then
      [[ $name == *'[:'* ]] && printf '%s\n' "${name%%'[:'*}"
      name=${name%%[:[]*}:
    fi
    printf '%s\n' "$name"
  done
}

# The options that halo's --help shows, those that take a value with a =: _halo_options HALO.
_halo_options()
{
  "$1" --help 2> /dev/null | sed -n 's/^  \(-., \|    \)\(--[a-z-]*=\{0,1\}\).*/\2/p'
  "$1" --help 2> /dev/null | sed -n 's/^  \(-[A-Za-z]\), --.*/\1/p'
}

# Offers those of the words that begin with what stands at the cursor: _halo_words CURRENT WORD...
_halo_words()
{
  local current=$1 word
  shift
  for word in "$@"; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$word")
  done
  # What must go on gets no space behind it.
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace 2> /dev/null
  return 0
}

# Offers files, or with -d folders: _halo_files CURRENT [-d].
_halo_files()
{
  compopt -o filenames 2> /dev/null
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "${2--f}" -- "$1")
}

# The values of an option: _halo_values HALO OPTION CURRENT.  False where it takes none.
_halo_values()
{
  local names
  case $2 in
    -f | --filter)
      mapfile -t names < <(_halo_names "$1" --list-filters)
      _halo_words "$3" "${names[@]}"
      _halo_files "$3"
      ;;
    -b | --border)
      mapfile -t names < <(_halo_names "$1" --list-borders)
      _halo_words "$3" "${names[@]}"
      ;;
    -p | --path)
      mapfile -t names < <(_halo_names "$1" --list-paths)
      if [[ $3 == *,* ]]; then
        names=("${names[@]/#/${3%,*},}")
      else
        names+=(auto all)
      fi
      _halo_words "$3" "${names[@]}"
      ;;
    -D | --device)
      mapfile -t names < <(_halo_names "$1" --list-devices)
      _halo_words "$3" auto "${names[@]}"
      ;;
    --format)
      mapfile -t names < <(_halo_names "$1" --list-formats)
      _halo_words "$3" "${names[@]}"
      ;;
    --alpha)
      mapfile -t names < <(_halo_names "$1" --list-alpha)
      _halo_words "$3" "${names[@]}"
      ;;
    --depth) _halo_words "$3" 8 16 ;;
    -z | --compression) _halo_words "$3" 0 1 2 3 4 5 6 7 8 9 ;;
    -o | --output) _halo_files "$3" ;;
    -d | --directory) _halo_files "$3" -d ;;
    --scale | --offset | --quality | -j | --threads | --band | --max-pixels | --max-memory) ;;
    *) return 1 ;;
  esac
  return 0
}

_halo()
{
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options

  COMPREPLY=()
  # Bash parts words at : and =.  What follows a : are the numbers of a preset or a border: nothing
  # can be offered there.
  [[ $current == : || $before == : ]] && return
  if [[ $current == = ]]; then
    current=''
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  _halo_values "${COMP_WORDS[0]}" "$before" "$current" && return
  if [[ $current == -* ]]; then
    mapfile -t options < <(_halo_options "${COMP_WORDS[0]}")
    _halo_words "$current" "${options[@]}"
    return
  fi
  _halo_files "$current"
}

complete -F _halo halo
