# PowerShell completion for shipx; load it with:
#   shipx completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName shipx -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
      Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  # An empty word would be lost on its way; a pair of quotes is read as one.
  if ($wordToComplete -eq '') { $words += '""' }
  shipx complete -- @words 2>$null | Where-Object { $_ -notlike ':*' } | ForEach-Object {
    $value, $about = $_ -split "`t", 2
    $shown = if ($about) { $about } else { $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $shown)
  }
}
