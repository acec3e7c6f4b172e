// The commands of couriers' policies.
import type { Command } from '../../command/tree.ts'
import { policyFieldNames } from '../../../domain/money/policies.ts'
import { dryRun } from '../rows/flags.ts'

const shape = '{courier, field, value, status, source, read_on, set_at, note}'
const fields = `Fields: ${policyFieldNames.join(', ')}`

// prettier-ignore
export const couriers: readonly Command[] = [
  {
    path: ['courier', 'claims'],
    summary: 'Show what can still be claimed of couriers for parcels: damage, a denied delivery, a POD, a loss',
    args: [{ name: 'awb', help: 'AWBs of parcels', many: true }],
    about: 'The windows begin with the delivery and come from the policy of the courier: claim_window, delivery_window and pod_window. A parcel that is not delivered has what the courier pays at most if it loses it (liability).',
    flags: [],
    examples: [{ about: 'Until when damage can be claimed', line: 'shipx courier claims 34817809263810' }],
    output: '{data: [{awb, order, courier, status, delivered_at, damage_until, denial_until, pod_until, lost_at_most}]}', exits: '0 done · 2 bad input · 3 no such parcel',
  },
  {
    path: ['courier', 'policy'],
    summary: 'List the policies of couriers: windows to dispute, the COD cycle, liability, and where each is from',
    args: [{ name: 'courier', help: 'All that applies to this courier (default: what is known of each)' }],
    about:
      'A value that you did not set is the shortest that the courier publishes, or that any courier publishes. ' +
      'Your contract may say otherwise: shipx courier policy set.',
    flags: [],
    examples: [
      { about: 'What couriers publish, and what you set', line: 'shipx courier policy' },
      { about: 'All that applies to one courier', line: 'shipx courier policy Delhivery' },
    ],
    output: `{data: [${shape}]}`, exits: '0 done · 2 bad input',
  },
  {
    path: ['courier', 'policy', 'set'],
    summary: 'Set what your contract with a courier says',
    args: [
      { name: 'courier', help: 'The name of the courier, as its invoices have it' },
      { name: 'field=value', help: 'Terms of the contract; field=default takes one back', many: true },
    ],
    about: `${fields}. A window is 7wd or 7 working_days, 4d or 4 days, 48h or 48 hours. \`none\` says that there is no such term.`,
    flags: [dryRun],
    examples: [
      { about: 'Seven working days to dispute a weight, from the day of the invoice', line: 'shipx courier policy set Delhivery weight_window=7wd weight_from=invoice' },
      { about: 'COD after eight working days, on three days of the week', line: 'shipx courier policy set "Blue Dart" cod_cycle=8wd cod_days=mon,wed,fri' },
      { about: 'Back to what is published', line: 'shipx courier policy set Delhivery weight_window=default' },
    ],
    output: `{data: [${shape}]}`, exits: '0 done · 2 bad input, shipx changed nothing',
  },
  {
    path: ['courier', 'policy', 'remove'],
    summary: 'Take back all that you set for a courier',
    args: [{ name: 'courier', help: 'The name of the courier, as in shipx courier policy' }],
    flags: [dryRun],
    examples: [{ about: 'What is published applies again', line: 'shipx courier policy remove Delhivery' }],
    output: `{data: [${shape}]}`, exits: '0 done · 2 bad input · 3 you set nothing for this courier',
  },
]
