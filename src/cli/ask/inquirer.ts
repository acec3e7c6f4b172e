// The parts of Inquirer that shipx uses. The build makes this a separate file, which only a question loads.
export {
  createPrompt,
  isEnterKey,
  isTabKey,
  makeTheme,
  useEffect,
  useKeypress,
  usePrefix,
  useRef,
  useState,
  type Status,
  type Theme,
} from '@inquirer/core'
export { confirm, password, search, select } from '@inquirer/prompts'
