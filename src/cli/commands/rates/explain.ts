// Explains a quote to programs and people, from values that the quote already holds.
import { counted } from '../../../domain/count.ts'
import { daysOf } from '../../../domain/rates/cardversions.ts'
import { roundWeight } from '../../../domain/rates/measures.ts'
import { percentOf, rupeesOf } from '../../../domain/money.ts'
import { amountPaid, rtoSurchargesOf, surchargesOf, type Offer } from '../../../domain/rates/pricing.ts'
import type { Quote, RateRequest } from '../../../domain/rates/rates.ts'
import { bandFor, hundredths, slabsOf, type Service } from '../../../domain/rates/ratecard.ts'
import { slabWeight } from '../../../domain/rates/chargedweight.ts'
import type { Component } from '../../../domain/rates/surcharges.ts'
import type { Screen } from '../../terminal/screen.ts'
import { showDay, showMoney, showWeight, withZones, words } from '../../output/display.ts'
import { safe } from '../../terminal/safe.ts'
import { codRule, surchargeRule } from '../ratecards/terms.ts'

/** The sibling key `explain` of a rate answer (docs/guides/rates.md): rupees, grams, IST dates. */
export function explanation(found: Quote) {
  const { zone, card, volumetric, applicable, request } = found
  return {
    card: card.name,
    valid_from: card.valid_from,
    valid_to: card.valid_to,
    invented: card.name === 'sample',
    zone: { zone: zone.zone, rule: zone.rule, why: zone.why },
    weight: { dead: request.dead_weight, volumetric, applicable },
    offers: found.offers.map((offer) => ({
      carrier_id: offer.service.carrier_id,
      carrier_name: offer.service.carrier_name,
      divisor: offer.service.divisor,
      volumetric_weight: offer.volumetric,
      charged_weight: offer.weight,
      slab: offer.slab,
      steps: offer.steps,
      freight: rupeesOf(offer.freight),
      cod: rupeesOf(offer.cod),
      zone: offer.zone.name,
      surcharges: amounts(surchargesOf(offer)),
      rto_surcharges: amounts(rtoSurchargesOf(offer)),
      qc: rupeesOf(offer.qc),
      rto: rupeesOf(offer.rto),
      platform_fee: rupeesOf(offer.fee),
      total: rupeesOf(offer.total),
      lines: linesOf(offer, found),
    })),
    refused: found.refusals.map(({ service, reason }) => ({
      carrier_id: service.carrier_id,
      carrier_name: service.carrier_name,
      reason,
    })),
  }
}

const amounts = (components: readonly Component[]) =>
  components.map(({ name, amount }) => ({ name, amount: rupeesOf(amount) }))

const rupees = (paise: number): string => showMoney(rupeesOf(paise))

/** One sentence for each amount of an offer. */
function linesOf(offer: Offer, { request, card }: Quote): readonly string[] {
  const { service, zone } = offer
  const forward = request.journey_type === 'forward'
  const journey = request.journey_type
  const transit = service.transit_days[journey]
  const took = counted((transit[zone.name] ?? transit[zone.as])!, ['working day', 'working days'])
  const pay = percentOf(amountPaid(offer), 100 + card.gst_percent)
  const fee = offer.fee === 0 ? '' : ` + ${rupees(offer.fee)} platform fee`
  const gst = `${rupees(pay - amountPaid(offer))} GST (${card.gst_percent}%)`
  const holidays = card.holidays.length > 0 ? ', holidays of the card counted' : ''
  const pickup = `pickup ${showDay(offer.pickup)} (cut-off ${service.pickup_cutoff} IST)`
  const like = zone.name === zone.as ? '' : `, counted in ${zone.as}`
  const drawn = service.zone_table === undefined ? [] : [`zone ${zone.name} of "${service.zone_table}"${like}`]
  return [
    ...drawn,
    `weight: ${weightReason(offer, roundWeight(request.dead_weight))}; ${slabReason(offer)}`,
    freightReason(offer, journey),
    ...surchargesOf(offer).map((component) => surchargeReason(component, service)),
    ...(request.payment_method === 'cod' && forward ? [`COD ${rupees(offer.cod)}: ${codRule(service)}`] : []),
    ...(!forward && request.qc_applicable !== false ? [`QC ${rupees(offer.qc)}: price of a quality check`] : []),
    ...(forward ? [returnReason(offer)] : []),
    ...unknownValue(offer, request),
    `you pay ${rupees(pay)}: the total ${rupees(offer.total)}${fee} + ${gst}`,
    `dates: ${pickup}, delivery ${showDay(offer.delivery)}, ${took}${holidays}`,
  ]
}

function freightReason({ service, zone, weight, freight, steps }: Offer, journey: 'forward' | 'return'): string {
  const units = hundredths(slabWeight(service, weight))
  const band = bandFor(slabsOf(service[journey][zone.name]!), units)!
  const more = steps === 0 ? '' : ` + ${steps} x ${rupees(band.stepPrice)} for each ${showWeight(band.step / 100)} more`
  const first = `${rupees(band.firstPrice)} for the first ${showWeight(band.first / 100)} in ${zone.name}`
  return `freight ${rupees(freight)}: ${first}${more}`
}

function slabReason({ service, weight, slab }: Offer): string {
  const ends = `the slab ends at ${showWeight(slab)}`
  return weight > slab ? `${ends}, within the tolerance of ${showWeight(service.tolerance ?? 0)}` : ends
}

function surchargeReason({ name, amount }: Component, { surcharges = [], minimum_charge: least }: Service): string {
  const own = surcharges.find((surcharge) => surcharge.name === name)
  const why = own === undefined ? `freight and surcharges are at least ${showMoney(least ?? 0)}` : surchargeRule(own)
  return `${name} ${rupees(amount)}: ${why}`
}

function returnReason(offer: Offer): string {
  const { service, rto } = offer
  const own =
    'percent' in service.rto
      ? `${service.rto.percent} % of freight`
      : 'per_slab' in service.rto
        ? 'its RTO price for each slab'
        : 'its own RTO price'
  const more = rtoSurchargesOf(offer)
    .map(({ name, amount }) => ` + ${name} ${rupees(amount)}`)
    .join('')
  const cod = service.cod.on_rto === 'charged' ? 'the COD fee stays' : 'no COD fee'
  return `if returned ${rupees(rto)}: ${own}${more}, ${cod}; not in the total`
}

/** A note where a surcharge goes by a value that the request does not have. */
function unknownValue({ service }: Offer, { journey_type: journey, shipment_value: value }: RateRequest) {
  const byValue = (service.surcharges ?? []).filter(
    ({ percent_of_value: share, when }) => share !== undefined || when?.above_value !== undefined,
  )
  if (byValue.length === 0 || (journey === 'forward' && value !== undefined)) return []
  return [`${byValue.map(({ name }) => name).join(' and ')}: goes by the value, which is not given`]
}

function weightReason(offer: Offer, dead: number): string {
  const { service, weight, volumetric } = offer
  if (weight > dead && weight > volumetric) return `charged on the least weight of this service, ${showWeight(weight)}`
  const { kg_per_cft: dense, dead_only_to: light = 0 } = service
  const rule = dense === undefined ? `divisor ${service.divisor}` : `${dense} kg a cubic foot`
  const volume = `${showWeight(volumetric)} (${rule}${service.whole_cm === true ? ', sides in whole cm' : ''})`
  if (dead <= light && volumetric > dead)
    return `charged on dead ${showWeight(weight)}: volumetric counts above ${showWeight(light)}`
  if (volumetric > dead) return `charged on volumetric ${volume}, more than dead ${showWeight(dead)}`
  return `charged on dead ${showWeight(weight)}, volumetric is ${volume}`
}

/** The same explanation as text for people. */
export function explanationText(found: Quote, screen: Screen): string {
  const { bold, dim } = screen.paint
  const { card, zone } = found
  const days = daysOf(card) === '' ? '' : `, valid ${daysOf(card)}`
  const own = card.services.some(({ zone_table: named }) => named !== undefined)
  const lines = [
    `${bold(words(zone.zone))}: ${zone.why}${own ? '; a courier with own zones goes by those' : ''}`,
    `${bold('Card')} ${card.name}${days}${card.name === 'sample' ? ' (invented prices)' : ''}`,
  ]
  for (const offer of found.offers) {
    lines.push('', bold(safe(offer.service.carrier_name)))
    for (const line of linesOf(offer, found)) lines.push(`  ${withZones(line)}`)
  }
  if (found.refusals.length > 0) {
    lines.push('', bold('Not offered'))
    for (const { service, reason } of found.refusals)
      lines.push(`  ${safe(service.carrier_name)}: ${dim(safe(withZones(reason)))}`)
  }
  return lines.join('\n')
}
