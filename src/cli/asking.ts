// The questions that shipx asks, and no others: the rest of the library stays out of the bundle.
export { confirm, input, password } from '@inquirer/prompts'
