// The commands of SKUs.
import type { Command } from '../../command/tree.ts'
import { bulkExits, bulkFlags, dryRun } from '../rows/flags.ts'

const shape = '{data: {sku, weight, length, width, height}}'

export const skus: readonly Command[] = [
  {
    path: ['skus', 'import'],
    summary: 'Save the weights and sizes of your SKUs from a file',
    args: [{ name: 'file', help: 'A CSV or JSON Lines file, or - for standard input' }],
    about:
      'The file has sku, weight, length, width and height, of one piece; the three sides are optional. ' +
      'shipx keeps them on this computer. orders import then weighs each order without a weight by its SKUs.',
    flags: bulkFlags,
    examples: [
      { about: 'See what a file looks like', line: 'shipx skus import --template' },
      { about: 'Save a file, and change what is there', line: 'shipx skus import skus.csv --on-conflict update --yes' },
    ],
    output: '{data: {rows, created, updated, unchanged, skipped, failed, reasons: [], failed_file}}',
    exits: bulkExits,
  },
  {
    path: ['skus', 'list'],
    summary: 'List your SKUs with their weights and sizes',
    args: [],
    flags: [],
    examples: [{ about: 'List all SKUs', line: 'shipx skus list' }],
    output: shape.replace('{data: {', '{data: [{').replace('}}', '}]}'),
    exits: '0 done, also when there is none',
  },
  {
    path: ['skus', 'remove'],
    summary: 'Remove a SKU',
    args: [{ name: 'sku', help: 'The SKU, exactly as in shipx skus list' }],
    flags: [dryRun],
    examples: [{ about: 'Remove a SKU', line: 'shipx skus remove CR-02' }],
    output: shape,
    exits: '0 done · 3 no such SKU',
  },
]
