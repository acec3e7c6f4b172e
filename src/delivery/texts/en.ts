// The built-in messages in English, in the template language of docs/guides/messages.md.
import type { TemplateDocument } from '../../domain/messages/templates.ts'
import type { Labels } from './words.ts'
import { contentOf, layoutOf, paragraph } from './layout.ts'

const brand = '{% if brand %}{{ brand }}: {% endif %}'
const order = 'order{% if order %} {{ order }}{% endif %}'
const name = '{% if customer.first_name %}, {{ customer.first_name }}{% endif %}'
const courier = '{% if courier %} with {{ courier }}{% endif %}'
const back = 'return{% if return %} {{ return }}{% elsif order %} of order {{ order }}{% endif %}'
const us = '{% if brand %}us{% else %}the seller{% endif %}'
const hello = paragraph('Hello{% if customer.name %} {{ customer.name }}{% endif %},')

export const english: TemplateDocument = {
  language: 'en',
  steps: {
    order_confirmed: {
      text: `${brand}Thank you${name}! Your ${order} is confirmed. We will message you as soon as it is on its way.`,
      subject: `Your ${order} is confirmed`,
      html: contentOf(
        'Thank you for your order',
        hello,
        paragraph(
          `Your ${order} is confirmed, and we are getting it ready. ` +
            'We will write to you as soon as it is on its way.',
        ),
      ),
    },
    shipped: {
      text:
        `${brand}Good news${name}! Your ${order} has been shipped${courier}.` +
        '{% if tracking_number %} Tracking number: {{ tracking_number }}.{% endif %}',
      subject: `Your ${order} is on its way`,
      html: contentOf(
        'Your order is on its way',
        hello,
        paragraph(
          `Good news: your ${order} has been shipped${courier}. We will write again on the day it comes to you.`,
        ),
      ),
    },
    out_for_delivery: {
      text:
        `${brand}Your ${order} is out for delivery${courier}.` +
        '{% if cod %} Please keep {{ cod }} ready for payment.{% endif %} Please keep your phone at hand.',
      subject: `Your ${order} is out for delivery`,
      html: contentOf(
        'Out for delivery',
        hello,
        paragraph(
          `Your ${order} is out for delivery${courier}. Please keep your phone at hand: the courier may call you.`,
        ),
        `{% if cod %}${paragraph('Please keep <strong>{{ cod }}</strong> ready for payment at the door.')}{% endif %}`,
      ),
    },
    attempt_failed: {
      text:
        `${brand}Sorry, your ${order} could not be delivered{% if reason %}: {{ reason }}{% endif %}.` +
        '{% if retry %} We will try again soon. Please keep your phone at hand.{% endif %}',
      subject: `We could not deliver your ${order}`,
      html: contentOf(
        'Your order could not be delivered',
        hello,
        paragraph(`We are sorry: we could not deliver your ${order}{% if reason %}, because {{ reason }}{% endif %}.`),
        `{% if retry %}${paragraph('We will try again soon. Please keep your phone at hand.')}{% endif %}`,
      ),
    },
    delivered: {
      text:
        `${brand}Your ${order} has been delivered. We hope you love it. ` +
        '{% if brand %}Thank you for shopping with us!{% else %}Thank you for your order!{% endif %}',
      subject: `Your ${order} has been delivered`,
      html: contentOf(
        'Delivered',
        hello,
        paragraph(`Your ${order} has been delivered. We hope you love it.`),
        paragraph('{% if brand %}Thank you for shopping with us!{% else %}Thank you for your order!{% endif %}'),
      ),
    },
    coming_back: {
      text:
        `${brand}Sorry, your ${order} could not be delivered and is on its way back to ${us}. ` +
        `If you still want it, please get in touch with ${us}.`,
      subject: `Your ${order} is on its way back`,
      html: contentOf(
        'Your order is on its way back',
        hello,
        paragraph(`We are sorry: your ${order} could not be delivered and is on its way back to ${us}.`),
        paragraph(`If you still want it, please get in touch with ${us}.`),
      ),
    },
    return_pickup_scheduled: {
      text:
        `${brand}The pickup of your ${back} is scheduled${courier}. ` +
        'Please keep the items packed and your phone at hand.',
      subject: `The pickup of your ${back} is scheduled`,
      html: contentOf(
        'Your pickup is scheduled',
        hello,
        paragraph(`The pickup of your ${back} is scheduled${courier}.`),
        paragraph('Please keep the items packed and your phone at hand: the courier may call you.'),
      ),
    },
    return_received: {
      text: `${brand}Your ${back} has reached ${us}. Thank you for sending it back.`,
      subject: `Your ${back} has arrived`,
      html: contentOf(
        'Your return has arrived',
        hello,
        paragraph(`Your ${back} has reached ${us}. Thank you for sending it back.`),
      ),
    },
    refund: {
      text: `${brand}The refund for your ${back} has been processed. It can take a few days to show in your account.`,
      subject: `The refund for your ${back} has been processed`,
      html: contentOf(
        'Your refund has been processed',
        hello,
        paragraph(`The refund for your ${back} has been processed. It can take a few days to show in your account.`),
      ),
    },
  },
  layout: layoutOf({
    logo: 'Logo',
    why: 'You get this e-mail because of your order{% if brand %} with {{ brand }}{% endif %}.',
  }),
}

/** The labels of a page's details. */
export const englishLabels: Labels = {
  order: 'Order',
  courier: 'Courier',
  tracking_number: 'Tracking number',
  cod: 'To pay at the door',
  items: 'Items',
  return: 'Return',
  more: (count) => `and ${count} more`,
}

/** Why a parcel was not delivered, after "because"; null if a customer should read no reason. */
export const englishReasons: Readonly<Record<string, string | null>> = {
  customer_not_available: 'you were not available',
  address_incomplete: 'the address was incomplete',
  customer_refused: 'it was not accepted at the door',
  premises_closed: 'the premises were closed',
  customer_unreachable: 'we could not reach you',
  payment_not_ready: 'the payment was not ready',
  future_delivery_requested: 'a later date was asked for',
  self_pickup: 'it is to be collected from the courier',
  out_of_delivery_area: "the address is outside the courier's area",
  shipment_damaged: 'the parcel was damaged on its way',
  fake_attempt: null,
  other: null,
}
