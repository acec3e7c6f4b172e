# fish completion for shipx; load it with: shipx completion fish | source
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
