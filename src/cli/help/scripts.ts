// Completion scripts: small and static. Each runs `shipx complete -- <words so far>` for the candidates of the last
// word. A line `:files` or `:folders` among them means a path, which the shell itself completes.

/** The script of each shell (docs/reference/terminal.md, Completion). */
export const scripts: Readonly<Record<string, string>> = {
  bash: `# bash completion for shipx; load it with: source <(shipx completion bash)
_shipx() {
  local line value
  COMPREPLY=()
  while IFS= read -r line; do
    value="\${line%%$'\\t'*}"
    case "$value" in
      :files | :folders)
        # Old versions of bash have no compopt.
        if ! compopt -o "$([[ $value == :files ]] && echo default || echo dirnames)" 2>/dev/null; then
          while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
        fi
        ;;
      *)
        # Where = parts words, only what stands after it is replaced.
        [[ $COMP_WORDBREAKS == *=* ]] && value="\${value#--*=}"
        COMPREPLY+=("$value")
        ;;
    esac
  done < <(shipx complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o nosort -F _shipx shipx 2>/dev/null || complete -F _shipx shipx
`,
  zsh: `#compdef shipx
# zsh completion for shipx; load it with: source <(shipx completion zsh)
_shipx() {
  local line value about paths
  local -a candidates
  while IFS= read -r line; do
    value="\${line%%$'\\t'*}" about="\${line#*$'\\t'}"
    case "$value" in
      :files) paths=_files ;;
      :folders) paths=_directories ;;
      *) candidates+=("\${value//:/\\\\:}\${about:+:$about}") ;;
    esac
  done < <(shipx complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  if (( $#candidates )); then
    _describe -V shipx candidates
  elif [[ -n $paths ]]; then
    compset -P '--*='
    $paths
  fi
}
# Found in a folder of fpath it is the function itself, otherwise it makes one known.
if [[ "\${funcstack[1]}" == _shipx ]]; then
  _shipx "$@"
else
  compdef _shipx shipx
fi
`,
  fish: `# fish completion for shipx; load it with: shipx completion fish | source
function __shipx_complete
  for line in (shipx complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
    switch $line
      case ':files*'
        __fish_complete_path (commandline -ct)
      case ':folders*'
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c shipx -f -k -a '(__shipx_complete)'
`,
  powershell: `# PowerShell completion for shipx; load it with:
#   shipx completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName shipx -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
      Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  # An empty word would be lost on its way; a pair of quotes is read as one.
  if ($wordToComplete -eq '') { $words += '""' }
  shipx complete -- @words 2>$null | Where-Object { $_ -notlike ':*' } | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    $shown = if ($about) { $about } else { $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $shown)
  }
}
`,
}

/** The shells that have a script. */
export const shells = Object.keys(scripts)
