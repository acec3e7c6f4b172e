# fish completion for shipx; load it with: shipx completion fish | source
complete -c shipx -f -a '(shipx complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
