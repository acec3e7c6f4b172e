// The questions that shipx asks, and no others: the rest of the library stays out of the bundle.
export { confirm } from '@inquirer/prompts'
