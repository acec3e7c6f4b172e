// The check of tab completion: whether the user's shell finds the script, and whether it is from this version.
import { completionState } from '../../help/installplace.ts'
import { ok, warn, type Check } from './check.ts'

const completion: Check = {
  id: 'completion',
  title: 'Completion',
  look: ({ context: { io } }) => {
    const state = completionState(io)
    if (state === undefined)
      return ok('shipx does not know the shell in SHELL; shipx completion prints the script of each shell')
    const { shell, path, installed, current } = state
    if (!installed) return ok(`not installed for ${shell}; shipx completion install does it`)
    return current ? ok(`for ${shell}`) : warn(`${path} is of another version`, 'shipx completion install')
  },
}

export const completionChecks: readonly Check[] = [completion]
