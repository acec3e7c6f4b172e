// The pictures of a label and of a manifest: the PDF of a real run, as a printer draws it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { drawnPages } from '../support/drawnpdf.ts'
import { pngOf } from '../support/pictures.ts'
import { orderRequest } from '../support/requests.ts'
import type { Sandbox } from '../support/sandbox.ts'

/** The orders of the pictures: COD with a name in Devanagari, and prepaid ones. */
const orders = [
  {
    order_id: 'ACM-2041',
    billing_customer_name: 'प्रिया शर्मा',
    billing_address: 'Flat 12, कृष्णा अपार्टमेंट, 4th Cross, Indiranagar',
    payment_method: 'COD',
    cod_collectible: 999,
    carrier_id: 'CAR4PEEPAL8T1',
    order_items: [{ name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 499.5, hsn: '6111', tax: 53.5 }],
  },
  ...['ACM-2042', 'ACM-2043', 'ACM-2044'].map((order_id) => ({ order_id, carrier_id: 'CAR4PEEPAL8T1' })),
]

/** The first page of a PDF, every second dot of it both ways, as a grey picture. */
async function picture(path: string): Promise<Buffer> {
  const [{ width, height, ink }] = (await drawnPages(readFileSync(path), 1)) as [
    Awaited<ReturnType<typeof drawnPages>>[0],
  ]
  const [across, down] = [Math.floor(width / 2), Math.floor(height / 2)]
  const rows = Buffer.alloc((across + 1) * down)
  for (let row = 0; row < down; row++)
    for (let dot = 0; dot < across; dot++)
      rows[row * (across + 1) + 1 + dot] = 255 - Math.round((ink(dot * 2, row * 2, 2, 2) * 255) / 4)
  return pngOf(across, down, 0, [['IDAT', deflateSync(rows)]])
}

/** Makes the two pictures in a sandbox, by what runs commands there. */
export async function papers(
  box: Sandbox,
  ran: (args: readonly string[]) => Promise<string>,
): Promise<Readonly<Record<'label' | 'manifest', Buffer>>> {
  const place = ['--name', 'Acme Kids', '--address', 'Plot 7, MIDC, Mumbai', '--phone', '9820012345']
  await ran(['local', 'warehouse', 'set', 'WH1', '400001', ...place, '--gstin', '27ABCDE1234F1Z5'])
  for (const order of orders) {
    const file = box.file('order.json', JSON.stringify(orderRequest({ order_date: '2026-09-28 16:00', ...order })))
    await ran(['orders', 'create', '--file', file, '--yes'])
  }
  await ran(['orders', 'label', 'ACM-2041', '--out', 'label.pdf', '--force'])
  box.file('handed.txt', 'ACM-2041\nACM-2042\nACM-2044\n')
  const pickup = ['--courier', 'CAR4PEEPAL8T1', '--warehouse', 'WH1', '--handed-over', 'handed.txt']
  await ran(['orders', 'manifest', ...pickup, '--out', 'manifest.pdf', '--force'])
  const [label, manifest] = [
    await picture(join(box.folder, 'label.pdf')),
    await picture(join(box.folder, 'manifest.pdf')),
  ]
  return { label, manifest }
}
