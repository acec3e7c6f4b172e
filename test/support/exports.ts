// Exports of shops as tests import them: made from the columns that each program documents, with what real ones have in
// them: quotes, line breaks, emoji, several items, several words for payment, orders that are cancelled or on their way.

/** An order of an export that is to be imported; amounts in paise. */
export interface ExportedOrder {
  readonly id: string
  readonly cod: boolean
  readonly total: number
  /** Paise for one piece, and how many. */
  readonly items: readonly (readonly [paise: number, units: number])[]
}

/** An export: its text, the orders that it holds, and how many others. */
export interface Exported {
  readonly csv: string
  readonly orders: readonly ExportedOrder[]
  readonly left: Readonly<Record<string, number>>
}

type Cells = Readonly<Record<string, string>>

const rupees = (paise: number): string => (paise / 100).toFixed(2)

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Lines under headers; a line without a header's cell is empty there. */
export const csvOf = (headers: readonly string[], lines: readonly Cells[], delimiter = ','): string =>
  [headers, ...lines.map((line) => headers.map((header) => line[header] ?? ''))]
    .map((cells) => `${cells.map(delimiter === ',' ? quoted : String).join(delimiter)}\n`)
    .join('')

const places = [
  ['560038', 'Bengaluru', 'KA'],
  ['400053', 'Mumbai', 'MH'],
  ['110017', 'New Delhi', 'DL'],
  ['700019', 'Kolkata', 'WB'],
] as const

/** The items of an order, and its total with shipping. */
function basket(n: number) {
  const items = Array.from({ length: 1 + (n % 3) }, (_, i) => [33_333 + n * 7 + i * 1_05, 1 + ((n + i) % 2)] as const)
  const goods = items.reduce((sum, [paise, units]) => sum + paise * units, 0)
  const shipping = n % 5 === 0 ? 0 : 49_50
  return { items, goods, shipping, total: goods + shipping }
}

/** What becomes of an order: most are imported. */
const fateOf = (n: number): 'kept' | 'cancelled' | 'fulfilled' =>
  n % 10 === 3 ? 'cancelled' : n % 10 === 7 ? 'fulfilled' : 'kept'

const shopifyHeaders =
  'Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem compare at price,Lineitem sku,Lineitem requires shipping,Lineitem taxable,Lineitem fulfillment status,Billing Name,Billing Street,Billing Address1,Billing Address2,Billing Company,Billing City,Billing Zip,Billing Province,Billing Country,Billing Phone,Shipping Name,Shipping Street,Shipping Address1,Shipping Address2,Shipping Company,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Shipping Phone,Notes,Note Attributes,Cancelled at,Payment Method,Payment Reference,Refunded Amount,Vendor,Outstanding Balance,Employee,Location,Device ID,Id,Tags,Risk Level,Source,Lineitem discount,Phone'.split(
    ',',
  )

const shopifyPayments = [
  'Cash on Delivery (COD)',
  'Razorpay Secure (UPI, Cards, Wallets, NetBanking)',
  // A gateway that shipx does not know; Shopify has the money.
  'Snapmint Pay in 3',
] as const

/** An export of Shopify with so many orders. */
export function shopifyExport(count: number): Exported {
  const lines: Cells[] = []
  const orders: ExportedOrder[] = []
  const left = { cancelled: 0, fulfilled: 0 }
  for (let n = 1; n <= count; n++) {
    const { items, goods, shipping, total } = basket(n)
    const [pincode, city, state] = places[n % places.length]!
    const payment = shopifyPayments[n % 3]!
    const [fate, cod] = [fateOf(n), payment.startsWith('Cash')]
    const id = `#${1000 + n}`
    if (fate === 'kept') orders.push({ id, cod, total, items })
    else left[fate]++
    const email = { Name: id, Email: `c${n}@example.com`, 'Created at': '2026-09-28 18:05:11 +0530' }
    for (const [i, [paise, units]] of items.entries())
      lines.push({
        ...email,
        ...(i > 0
          ? {}
          : {
              'Financial Status': cod ? 'pending' : 'paid',
              'Fulfillment Status': fate === 'fulfilled' ? 'fulfilled' : 'unfulfilled',
              'Cancelled at': fate === 'cancelled' ? '2026-09-28 19:00:00 +0530' : '',
              Currency: 'INR',
              Subtotal: rupees(goods),
              Shipping: rupees(shipping),
              Taxes: '0.00',
              Total: rupees(total),
              'Discount Amount': '0.00',
              'Billing Name': 'Uncle in Dubai',
              'Billing Country': 'AE',
              'Shipping Name': n % 4 === 0 ? 'Asha 🌸 "Ashu" Rao' : 'Vikram Singh',
              'Shipping Address1': `Flat ${n}, "Lake View"\nnear the temple, 2nd cross`,
              'Shipping Address2': n % 2 === 0 ? 'Indiranagar' : '',
              'Shipping City': city,
              'Shipping Zip': `'${pincode}`,
              'Shipping Province': state,
              'Shipping Country': 'IN',
              'Shipping Phone': '+91 98123 45678',
              'Payment Method': payment,
              'Outstanding Balance': cod ? rupees(total) : '0.00',
              Notes: 'Call before 6 pm,\r\nplease 🙏',
            }),
        'Lineitem quantity': String(units),
        'Lineitem name': `Romper "Sun", ${i === 0 ? 'blue' : 'red'}\n2T`,
        'Lineitem price': rupees(paise),
        'Lineitem sku': i === 2 ? '' : `CR-${i}`,
        'Lineitem requires shipping': 'true',
        Vendor: 'Acme',
      })
  }
  return { csv: csvOf(shopifyHeaders, lines), orders, left }
}

const wooHeaders =
  'Order Number,Order Status,Order Date,Customer Note,First Name (Billing),Last Name (Billing),Company (Billing),Address 1&2 (Billing),City (Billing),State Code (Billing),Postcode (Billing),Country Code (Billing),Email (Billing),Phone (Billing),First Name (Shipping),Last Name (Shipping),Address 1&2 (Shipping),City (Shipping),State Code (Shipping),Postcode (Shipping),Country Code (Shipping),Payment Method Title,Cart Discount Amount,Order Subtotal Amount,Shipping Method Title,Order Shipping Amount,Order Refund Amount,Order Total Amount,Order Total Tax Amount,SKU,Item #,Item Name,Quantity (- Refund),Item Cost,Coupon Code,Discount Amount,Discount Amount Tax'.split(
    ',',
  )

const wooPayments = ['Cash on delivery', 'Credit Card/Debit Card/NetBanking', 'Direct bank transfer'] as const

/** An export of WooCommerce with so many orders; each line repeats its order. */
export function wooExport(count: number): Exported {
  const lines: Cells[] = []
  const orders: ExportedOrder[] = []
  const left = { cancelled: 0, fulfilled: 0 }
  for (let n = 1; n <= count; n++) {
    const { items, goods, shipping, total } = basket(n)
    const [pincode, city, state] = places[n % places.length]!
    const payment = wooPayments[n % 3]!
    const fate = fateOf(n)
    const id = String(5000 + n)
    if (fate === 'kept') orders.push({ id, cod: payment.startsWith('Cash'), total, items })
    else left[fate]++
    for (const [i, [paise, units]] of items.entries())
      lines.push({
        'Order Number': id,
        'Order Status': { kept: 'Processing', cancelled: 'Cancelled', fulfilled: 'Completed' }[fate],
        'Order Date': '2026-09-28 14:05',
        'Customer Note': 'Gift 🎁, "wrap it"\nplease',
        'First Name (Billing)': 'Asha',
        'Last Name (Billing)': 'Rao',
        'Address 1&2 (Billing)': `${n} MG Road,\n"Old" mill`,
        'City (Billing)': city,
        'State Code (Billing)': state,
        'Postcode (Billing)': pincode,
        'Country Code (Billing)': 'IN',
        'Email (Billing)': 'asha@example.com',
        'Phone (Billing)': '09812345678',
        'Payment Method Title': payment,
        'Cart Discount Amount': '0',
        'Order Subtotal Amount': rupees(goods),
        'Order Shipping Amount': rupees(shipping),
        'Order Total Amount': rupees(total),
        'Order Total Tax Amount': '0',
        SKU: i === 2 ? '' : `CR-${i}`,
        'Item #': String(i + 1),
        'Item Name': `Brass lamp "Diya" ${i}`,
        'Quantity (- Refund)': String(units),
        'Item Cost': rupees(paise),
      })
  }
  return { csv: csvOf(wooHeaders, lines), orders, left }
}
