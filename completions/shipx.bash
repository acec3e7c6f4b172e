# bash completion for shipx; load it with: source <(shipx completion bash)
_shipx() {
  local line value
  COMPREPLY=()
  while IFS= read -r line; do
    value="${line%%$'\t'*}"
    case "$value" in
      :files | :folders)
        # Old versions of bash have no compopt.
        if ! compopt -o "$([[ $value == :files ]] && echo default || echo dirnames)" 2>/dev/null; then
          while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
        fi
        ;;
      *)
        # Where = parts words, only what stands after it is replaced.
        [[ $COMP_WORDBREAKS == *=* ]] && value="${value#--*=}"
        COMPREPLY+=("$value")
        ;;
    esac
  done < <(shipx complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o nosort -F _shipx shipx 2>/dev/null || complete -F _shipx shipx
