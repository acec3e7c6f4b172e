// Completion scripts: small and static, each asks `shipx complete -- <words so far>` for the candidates of the last word.

/** The script of each shell (docs: README, Completion). */
export const scripts: Readonly<Record<string, string>> = {
  bash: `# bash completion for shipx; load it with: source <(shipx completion bash)
_shipx() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(shipx complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o nosort -o default -F _shipx shipx
`,
  zsh: `#compdef shipx
# zsh completion for shipx; load it with: source <(shipx completion zsh)
_shipx() {
  local line
  local -a candidates
  while IFS= read -r line; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(shipx complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -V shipx candidates || _files
}
compdef _shipx shipx
`,
  fish: `# fish completion for shipx; load it with: shipx completion fish | source
complete -c shipx -f -a '(shipx complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
  powershell: `# PowerShell completion for shipx; load it with: shipx completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName shipx -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  shipx complete -- @words 2>$null | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $(if ($about) { $about } else { $value }))
  }
}
`,
}
