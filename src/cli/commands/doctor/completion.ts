// The check of tab completion: whether the user's shell finds the script, and whether it is from this version.
import { completionState } from '../../help/installplace.ts'
import { ok, warn, type Check } from './check.ts'

const completion: Check = {
  id: 'completion',
  title: 'Completion',
  look: ({ context: { io } }) => {
    const state = completionState(io)
    if (state === undefined)
      return ok('SHELL names no shell that shipx has a script for; print one: shipx completion <shell>')
    const { shell, path, installed, current, unloaded } = state
    if (unloaded !== undefined)
      return warn(
        `the script for ${shell} is in ${path}, but ${unloaded.path} does not load it`,
        `add to it: ${unloaded.lines.replaceAll('\n', '; ')} (shipx completion install --yes does it)`,
      )
    if (!installed) return ok(`not installed for ${shell}; install it: shipx completion install`)
    return current
      ? ok(`installed for ${shell}`)
      : warn(`${path} is from another version of shipx`, 'shipx completion install')
  },
}

export const completionChecks: readonly Check[] = [completion]
