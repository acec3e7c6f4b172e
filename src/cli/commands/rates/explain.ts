// Explains a quote to programs and people, from values that the quote already holds.
import { roundWeight } from '../../../domain/rates/measures.ts'
import { percentOf, rupeesOf } from '../../../domain/money.ts'
import { amountPaid, type Offer } from '../../../domain/rates/pricing.ts'
import type { Quote } from '../../../domain/rates/rates.ts'
import { slabsOf, type Service } from '../../../domain/rates/ratecard.ts'
import type { Screen } from '../../terminal/screen.ts'
import { showDay, showMoney, showWeight, withZones, words } from '../../output/display.ts'
import { safe } from '../../terminal/safe.ts'

/** The sibling key `explain` of a rate answer (docs/guides/rates.md): rupees, grams, IST dates. */
export function explanation(found: Quote) {
  const { zone, card, volumetric, applicable, request } = found
  return {
    card: card.name,
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

const rupees = (paise: number): string => showMoney(rupeesOf(paise))

/** One sentence for each amount of an offer. */
function linesOf(offer: Offer, { request, zone, card }: Quote): readonly string[] {
  const { service } = offer
  const forward = request.journey_type === 'forward'
  const band = slabsOf((forward ? service.forward : service.return)[zone.zone]!).find(
    (slab) => Math.round(offer.weight * 100) <= slab.upTo,
  )!
  const steps =
    offer.steps === 0
      ? ''
      : ` + ${offer.steps} x ${rupees(band.stepPrice)} for each ${showWeight(band.step / 100)} more`
  const first = `${rupees(band.firstPrice)} for the first ${showWeight(band.first / 100)} in ${zone.zone}`
  const rto = 'percent' in service.rto ? `${service.rto.percent} % of freight` : 'its own RTO price'
  const days = String(service.transit_days[request.journey_type][zone.zone])
  const pay = rupees(percentOf(amountPaid(offer), 100 + card.gst_percent))
  const fee = offer.fee === 0 ? '' : `, the platform fee ${rupees(offer.fee)}`
  const holidays = card.holidays.length > 0 ? ', holidays of the card counted' : ''
  const pickup = `pickup ${showDay(offer.pickup)} (cut-off ${service.pickup_cutoff} IST)`
  return [
    `weight: ${weightReason(offer, roundWeight(request.dead_weight))}; the slab ends at ${showWeight(offer.slab)}`,
    `freight ${rupees(offer.freight)}: ${first}${steps}`,
    ...(request.payment_method === 'cod' && forward ? [`COD ${rupees(offer.cod)}: ${codReason(service)}`] : []),
    ...(!forward && request.qc_applicable !== false ? [`QC ${rupees(offer.qc)}: price of a quality check`] : []),
    ...(forward ? [`if returned ${rupees(offer.rto)}: ${rto}, no COD fee; not in the total`] : []),
    `you pay ${pay}: the total ${rupees(offer.total)}${fee} and ${card.gst_percent}% GST`,
    `dates: ${pickup}, delivery ${showDay(offer.delivery)}, ${days} working days${holidays}`,
  ]
}

function weightReason(offer: Offer, dead: number): string {
  const { service, weight, volumetric } = offer
  if (weight > dead && weight > volumetric) return `charged on the least weight of this service, ${showWeight(weight)}`
  const volume = `${showWeight(volumetric)} (divisor ${service.divisor})`
  if (volumetric > dead) return `charged on volumetric ${volume}, more than dead ${showWeight(dead)}`
  return `charged on dead ${showWeight(weight)}, volumetric is ${volume}`
}

function codReason({ cod }: Service): string {
  const [fixed, share] = [showMoney(cod.fixed), `${cod.percent} % of the value`]
  return cod.rule === 'sum' ? `${fixed} and ${share}` : `the greater of ${fixed} and ${share}`
}

/** The same explanation as text for people. */
export function explanationText(found: Quote, screen: Screen): string {
  const { bold, dim } = screen.paint
  const lines = [
    `${bold(words(found.zone.zone))}: ${found.zone.why}`,
    `${bold('Card')} ${found.card.name}${found.card.name === 'sample' ? ' (invented prices)' : ''}`,
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
