// shipx out of its sources, as a program: what the installed one is compared with.
import { main } from '../../src/cli/main.ts'

await main(process)
