// What shipx takes of Inquirer, which is a file of its own in the build: only a question loads it.
export {
  createPrompt,
  isEnterKey,
  isTabKey,
  makeTheme,
  useKeypress,
  usePrefix,
  useState,
  type Status,
  type Theme,
} from '@inquirer/core'
export { confirm, password, search, select } from '@inquirer/prompts'
