// The commands of orders that print: labels and manifests.
import type { Command, Flag } from '../../command/tree.ts'
import { shipmentQuestion } from '../shipments/rows.ts'
import { dryRun, sheetFlag } from '../rows/flags.ts'

const outFlag = (example: string): Flag => ({
  name: 'out',
  kind: 'text',
  value: `<${example}|->`,
  help: 'Write this file (- for standard output)',
  group: 'File',
  offers: 'files',
})

const forceFlag: Flag = { name: 'force', kind: 'switch', help: 'Replace the file if it is there', group: 'File' }

// prettier-ignore
export const labelCommands: readonly Command[] = [
  {
    path: ['orders', 'label'], summary: 'Print labels: PDF for 4x6 or A4 paper, or ZPL for label printers',
    args: [{ name: 'order', help: "Order number, AWB or id; quote a leading #: '#1500'", many: true }],
    about: 'Name the orders, or choose them with filters: then shipx prints those that wait for pickup, or the --status that you give. A cancelled order gets no label. A label shows what the order and its record say, and nothing else. shipx remembers what it printed.',
    flags: [
      { name: 'file', kind: 'text', value: '<awbs.txt>', help: 'Read the orders or tracking numbers from a file: one on each line, or a column of a CSV or an Excel workbook (- for standard input)', group: 'Orders', excludes: ['<order>'] },
      { ...sheetFlag, group: 'Orders' },
      { name: 'not-printed', kind: 'switch', help: 'Leave out orders whose label was printed before', group: 'Orders' },
      outFlag('labels.pdf'),
      forceFlag,
      { name: 'size', kind: 'text', value: '<paper>', choices: ['4x6', 'a4'], help: 'Paper: 4x6 inches with one label, or A4 with four', group: 'Label', default: '4x6' },
      { name: 'zpl', kind: 'switch', help: 'Write ZPL for label printers of 203 dpi, and no PDF', group: 'Label' },
      { name: 'sort', kind: 'text', value: '<key>', choices: ['sku', 'order'], help: 'Print one courier after the other, sorted by SKUs or by order number', group: 'Label' },
      { name: 'hide-phone', kind: 'switch', help: "Leave out the customer's phone", group: 'Label' },
      ...shipmentQuestion,
      dryRun,
    ],
    examples: [
      { about: 'Print what waits for pickup and has no label yet', line: 'shipx orders label --not-printed --out labels.pdf' },
      { about: 'Print the labels of two orders, four on A4 paper', line: 'shipx orders label ORD-1001 ORD-1002 --size a4 --out labels.pdf' },
      { about: 'Send the labels of a file to a label printer, in the order of picking', line: 'shipx orders label --file awbs.txt --zpl --sort sku --out - > /dev/usb/lp0' },
    ],
    output: '{data: {file, labels}}', exits: '0 done, also when nothing waits · 2 bad input · 3 no such order · 4 not signed in, or refused · 5 none of them gets a label · 6 temporary: run it again · 7 some have no label · 130 interrupted',
  },
  {
    path: ['orders', 'manifest'], summary: 'Print the list of parcels that a courier picks up, to sign', args: [],
    about: 'The list has the parcels that wait for this courier at this warehouse, and those that it picked up on that day. After the pickup, --handed-over strikes out what the courier did not take; shipx keeps that as evidence. The same parcels get the same number again.',
    flags: [
      { name: 'courier', kind: 'text', value: '<courier>', help: 'The courier that picks up: its id, its code or part of its name', group: 'Pickup', key: 'carrier_id' },
      { name: 'warehouse', kind: 'text', value: '<id>', help: 'The warehouse: its id, or its name in the profile', group: 'Pickup', key: 'warehouse_ids' },
      { name: 'date', kind: 'text', value: '<day>', help: 'Day of the pickup: today, yesterday, 2026-09-28', group: 'Pickup', default: 'today' },
      { name: 'handed-over', kind: 'text', value: '<awbs.txt>', help: 'Strike out what this file does not have: tracking numbers or orders, one on each line, or a column of a CSV or an Excel workbook', group: 'Pickup' },
      { ...sheetFlag, group: 'Pickup' },
      outFlag('manifest.pdf'),
      forceFlag,
      dryRun,
    ],
    examples: [
      { about: 'Print the manifest of the pickup of today', line: 'shipx orders manifest --courier blueline --warehouse WH1 --out manifest.pdf' },
      { about: 'Strike out what the courier left behind', line: 'shipx orders manifest --courier blueline --warehouse WH1 --handed-over scanned.txt --out signed.pdf' },
      { about: 'Print the same list for a spreadsheet', line: 'shipx orders manifest --courier blueline --warehouse WH1 --csv' },
    ],
    output: '{data: [{manifest, courier, warehouse, date, awb, order, pieces, weight, cod, handed_over}]}', exits: '0 done · 2 bad input · 3 no parcel waits · 4 not signed in, or refused · 6 temporary: run it again · 130 interrupted',
  },
]
