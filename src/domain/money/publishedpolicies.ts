// What couriers and aggregators of India publish about windows, COD and liability. Each value has the page that says it
// and the day on which it was read; of several pages of one company, the shortest window counts.

export const policyFieldNames = [
  'weight_window',
  'weight_from',
  'claim_window',
  'delivery_window',
  'pod_window',
  'liability',
  'cod_cycle',
  'cod_days',
  'early_cod',
  'cod_on_rto',
  'fuel',
  'weight_proof',
] as const
export type PolicyField = (typeof policyFieldNames)[number]

/** A value as policies are kept, with the page that says it and the IST day on which it was read. */
export interface Published {
  readonly value: string
  /** Null where no page was found, and for what an account set. */
  readonly source: string | null
  readonly read: string | null
  /** What else should be known of it. */
  readonly note?: string
}

type Own = Readonly<Partial<Record<PolicyField, Published>>>

// prettier-ignore
const pages = {
  shiprocketHelp: 'https://support.shiprocket.in/support/solutions/articles/43000477577-what-is-the-weight-dispute-manager-',
  shiprocketClaims: 'https://support.shiprocket.in/support/solutions/articles/43000454815-updated-policies-as-on-27-11-2018',
  shiprocketDelivery: 'https://support.shiprocket.in/support/solutions/articles/43000659105-how-to-file-a-delivery-dispute-for-a-missing-or-incorrectly-delivered-shipment-',
  shiprocketCod: 'https://support.shiprocket.in/support/solutions/articles/152000000970-instant-cod-faqs',
  shiprocketDays: 'https://360.shiprocket.in/blog/about-cod-remittance/',
  shiprocketProof: 'https://support.shiprocket.in/support/solutions/articles/43000337697-if-i-do-not-agree-with-the-charged-weight-what-are-the-next-steps-to-follow-',
  eshopbox: 'https://auperator.atlassian.net/wiki/spaces/ordershippingengine/pages/4251811868/Weight+discrepancy+management',
  shypliteWeight: 'https://faq.shyplite.com/4005-how-can-i-raise-a-weight-dispute/',
  shypliteCod: 'https://faq.shyplite.com/4002-when-will-i-get-the-cod-amount-for-my-orders/',
  shypliteLoss: 'https://faq.shyplite.com/3011-lost-and-damage-liability-and-claim-procedure/',
  delhivery: 'https://www.delhivery.com/setup-business/faqs/',
  roposo: 'https://roposoclout.com/dropshipping/knowledge-base/how-do-i-get-my-cod-amount/',
  zepo: 'https://support.zepo.in/support/solutions/articles/4000008397-what-if-customer-refuse-the-cod-shipment-',
  shipuncle: 'https://shipuncle.com/return-refund.html',
  ecg: 'https://ecgexpres.in/Web/TermsConditions',
} as const

/** All of these pages were read on one day. */
const readOn = '2026-11-24'

const by = (page: keyof typeof pages, value: string, note?: string): Published => ({
  value,
  source: pages[page],
  read: readOn,
  ...(note === undefined ? {} : { note }),
})

const nothing = (note: string): Published => ({ value: 'none', source: null, read: null, note })

/** The policies by the key of the courier; `default` is for everybody else, the shortest that anybody publishes. */
// prettier-ignore
export const published = {
  default: {
    weight_window:   by('eshopbox', '72 hours', 'the shortest published: that of Eshopbox'),
    weight_from:     by('eshopbox', 'discrepancy', 'that of Eshopbox'),
    claim_window:    by('shiprocketClaims', '48 hours', 'the shortest published: that of Shiprocket'),
    delivery_window: by('shiprocketDelivery', '3 days', 'the shortest published: that of Shiprocket'),
    pod_window:      by('shiprocketDelivery', '7 days', 'the shortest published: that of Shiprocket'),
    liability:       by('delhivery', 'min(2000, value)', 'the least published: that of Delhivery'),
    cod_cycle:       by('shiprocketCod', '8 working_days', 'D+8, the standard plan of Shiprocket, taken as working days'),
    cod_days:        nothing('not published: every day'),
    early_cod:       nothing('not published: no fee'),
    cod_on_rto:      nothing('not published: the rate card says it'),
    fuel:            nothing('not published: the rate card says it'),
    weight_proof:    by('shypliteWeight', 'length,width,height,scale,label', 'the most that anybody asks for: Shyplite'),
  },
  shiprocket: {
    weight_window:   by('shiprocketHelp', '4 days', 'other pages say 7 days'),
    weight_from:     by('shiprocketHelp', 'discrepancy'),
    claim_window:    by('shiprocketClaims', '48 hours'),
    delivery_window: by('shiprocketDelivery', '3 days'),
    pod_window:      by('shiprocketDelivery', '7 days'),
    cod_cycle:       by('shiprocketCod', '8 working_days', 'D+8, taken as working days'),
    cod_days:        by('shiprocketDays', 'mon,wed,fri'),
    early_cod:       by('shiprocketCod', '0.99%', 'for COD two days after the delivery'),
    weight_proof:    by('shiprocketProof', 'length,width,height,label', 'the page asks for photographs and does not say of what'),
  },
  eshopbox: {
    weight_window: by('eshopbox', '72 hours'),
    weight_from:   by('eshopbox', 'discrepancy'),
  },
  shyplite: {
    weight_proof: by('shypliteWeight', 'length,width,height,scale,label'),
    claim_window: by('shypliteLoss', '2 days', 'for damage; 30 days from the pickup for loss'),
    liability:    by('shypliteLoss', 'min(5000, value)', 'for a parcel to the customer'),
    cod_days:     by('shypliteCod', 'wed'),
  },
  delhivery:   { liability: by('delhivery', 'min(2000, value)') },
  roposoclout: { cod_days: by('roposo', 'mon') },
  zepo:        { cod_on_rto: by('zepo', 'charged') },
  shipuncle:   { cod_on_rto: by('shipuncle', 'charged') },
  ecgexpres:   {
    weight_window: by('ecg', '5 days', 'for disputes about a bill'),
    weight_from:   by('ecg', 'invoice'),
    liability:     by('ecg', 'min(5000, value)', 'for a parcel to the customer'),
  },
} as const satisfies Readonly<Record<string, Own>> & { readonly default: Readonly<Record<PolicyField, Published>> }

/** The names of the couriers that publish something. */
export const publishedNames: Readonly<Record<Exclude<keyof typeof published, 'default'>, string>> = {
  shiprocket: 'Shiprocket',
  eshopbox: 'Eshopbox',
  shyplite: 'Shyplite',
  delhivery: 'Delhivery',
  roposoclout: 'Roposo Clout',
  zepo: 'Zepo',
  shipuncle: 'Shipuncle',
  ecgexpres: 'ECG Expres',
}

/** What the courier of a key publishes; undefined where nothing was found. */
export const publishedFor = (key: string): Own | undefined =>
  key !== 'default' && Object.hasOwn(published, key) ? published[key as keyof typeof published] : undefined
