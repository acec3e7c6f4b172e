// The text above and below the offers of one parcel: the journey, notes, and why no courier takes it.
import { counted } from '../../../domain/count.ts'
import { placeOf, type Locality } from '../../../domain/pincodes.ts'
import { roundWeight } from '../../../domain/rates/measures.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import type { Context } from '../../command/context.ts'
import { showMoney, showWeight, withZones, words } from '../../output/display.ts'
import { amountIn } from '../../../domain/foreign/values.ts'
import { readZone } from '../../../domain/read/zone.ts'
import { zoneOf, type ZoneDecision } from '../../../domain/rates/zones.ts'
import { hiddenColumns } from '../../output/printer.ts'
import { safe } from '../../terminal/safe.ts'
import { zonesCharged, type Answered } from './answer.ts'
import { hasFee } from './offerview.ts'

/** What each rule about zones means. A row of a card's own matrix has no meaning of its own. */
const zoneMeanings: Readonly<Record<ZoneDecision['rule'], string>> = {
  matrix: '',
  table: '',
  same_city: ' (within a city)',
  same_state: ' (within a state)',
  region: ' (within a region)',
  metro: ' (metro to metro)',
  special_state: ' (special state)',
  rest: ' (rest of India)',
}

/** The parcel's way and weights. `charged` are the weights that the shown couriers charge for, grams, where known. */
export function heading(
  { screen, flags }: Context,
  answered: Answered,
  charged: readonly number[] | undefined,
): string {
  const { request: asked, answer, facts } = answered
  const { shipment_details: details } = answer.result
  const [from, to] = [placeOf(asked.origin_pincode), placeOf(asked.destination_pincode)]
  const arrow = screen.ascii ? '->' : '→'
  const dot = screen.ascii ? '-' : '·'
  const payment =
    asked.journey_type === 'return'
      ? `return${asked.qc_applicable === false ? ', no QC' : ' with QC'}`
      : asked.payment_method === 'cod'
        ? `COD ${showMoney(asked.shipment_value!, screen)}`
        : 'prepaid'
  const end = (pincode: string, place: { readonly city: string } | undefined): string =>
    place === undefined ? pincode : `${place.city} ${pincode}`
  const lane = `${end(asked.origin_pincode, from)} ${arrow} ${end(asked.destination_pincode, to)}`
  const card = typeof details?.zone === 'string' ? zoneText(details.zone, from, to) : undefined
  const zone = chargedIn(answered, card)
  const grams = (value: unknown): string => {
    const weight = amountIn(value)
    return weight === undefined ? '?' : showWeight(weight)
  }
  const journey = [screen.paint.bold(safe(lane)), payment, ...(zone === undefined ? [] : [zone])].join(` ${dot} `)
  const weights = `Dead ${showWeight(roundWeight(asked.dead_weight))}, volumetric ${grams(details?.volumetric_weight)}`
  const applicable = details?.applicable_weight
  // A deployment says how many of all couriers differ, and not which.
  const told = flags.has('courier') ? 0 : (facts?.others ?? 0)
  const differ = charged?.filter((weight) => weight !== applicable).length ?? told
  return `${journey}\n${weights}: charged on ${chargedText(grams(applicable), differ, charged)}\n`
}

/** The usual weight, and how many couriers charge on another one, by a divisor or least weight of their own. */
function chargedText(usual: string, differ: number, charged: readonly number[] | undefined): string {
  if (differ === 0) return usual
  if (charged === undefined || differ < charged.length)
    return `${usual}; ${counted(differ, ['courier charges', 'couriers charge'])} another weight (--explain)`
  const [least, most] = [Math.min(...charged), Math.max(...charged)]
  return least === most ? showWeight(most) : `${showWeight(least)} to ${showWeight(most)} (--explain)`
}

/** The zone that the offers are charged in. `card` is the zone of the lane by the rules of the card, in words. */
function chargedIn(answered: Answered, card: string | undefined): string | undefined {
  const { answer, quote: found } = answered
  const lane: unknown = answer.result.shipment_details?.zone
  const charged = new Set(zonesCharged(answered).values())
  const [one, ...others] = charged
  if (others.length > 0) return 'zones differ by courier'
  if (one !== undefined) return one === lane ? card : `courier's own zone ${safe(withZones(one))}`
  return found?.card.services.every(({ zone_table: own }) => own !== undefined) === true ? undefined : card
}

/** A zone with its meaning, where the usual rules lead to the same zone: `Zone C (metro to metro)`. */
function zoneText(sent: string, from: Locality | undefined, to: Locality | undefined): string {
  const zone = readZone(sent)
  if (zone === undefined) return safe(sent)
  const usual = from === undefined || to === undefined ? undefined : zoneOf(from, to)
  return `${words(zone)}${usual?.zone === zone ? zoneMeanings[usual.rule] : ''}`
}

/** What the table of offers shows. */
interface ShownOffers {
  readonly explain: boolean
  readonly shown: number
  /** The columns that the table leaves out. */
  readonly hidden: readonly string[]
  /** GST percent in what is paid, or undefined. */
  readonly gst: number | undefined
}

export async function footer({ screen }: Context, told: Answered, table: ShownOffers): Promise<string> {
  const { explain, shown, hidden, gst } = table
  const lines: string[] = []
  const all = told.offers.length
  if (shown === 0) lines.push(nobody(told))
  else {
    const out = told.facts?.refused ?? 0
    const others = `${counted(out, ['more does', 'more do'])} not take this parcel`
    lines.push(
      [
        `${shown === all ? '' : `${shown} of `}${counted(all, ['courier', 'couriers'])}. ${payNote(told, gst)}`,
        ...(out > 0 ? [`${others}${explain ? '' : ' (--explain)'}.`] : []),
      ].join(' '),
    )
  }
  if (hidden.length > 0) lines.push(hiddenColumns(hidden))
  lines.push(...inventedNote(told.facts?.card))
  const { foldedText } = await import('../../terminal/width.ts')
  return `${shown === 0 ? '' : '\n'}${screen.paint.dim(foldedText(lines.join('\n'), screen.width))}\n`
}

/** What YOU PAY is made of. */
function payNote({ offers }: Answered, gst: number | undefined): string {
  const fee = offers.some(({ shown }) => hasFee(shown)) ? ['the platform fee'] : []
  if (gst === undefined) return `YOU PAY ${fee.length === 0 ? 'is' : 'includes the platform fee and is'} before GST.`
  return `YOU PAY includes ${[...fee, `${gst}% GST`].join(' and ')}.`
}

/** The note for the invented prices of the sample card. */
export const inventedNote = (card: string | undefined): readonly string[] =>
  card === sampleCard.name
    ? ['Prices are invented (rate card sample). Your own contract: shipx ratecard import <file> --use']
    : []

/** Why no offer is shown: no courier takes the parcel, or none of the requested ones does. */
export function nobody({ request: asked, offers, quote: found }: Answered): string {
  const others = offers.length
  if (others > 0) {
    const rest = counted(others, ['other does', 'others do'])
    return `None of these couriers takes this parcel; ${rest}. See --explain, or leave --courier out.`
  }
  const cod = asked.payment_method === 'cod'
  const lane = `${asked.origin_pincode} to ${asked.destination_pincode}`
  const refusals = found?.refusals ?? []
  const reasons = refusals
    .slice(0, 3)
    .map((refusal) => `${refusal.service.carrier_name}: ${withZones(refusal.reason)}`)
    .join('; ')
  const why = reasons === '' ? '' : ` (${reasons}${refusals.length > 3 ? '; …' : ''})`
  const forCash = cod && (refusals.length === 0 || refusals.some(({ reason }) => /\bCOD\b/.test(reason)))
  const next = forCash ? 'Try --prepaid, or --explain.' : 'See --explain.'
  return `No courier takes this parcel from ${lane}${cod ? ', COD' : ''}${why}. ${next}`
}
