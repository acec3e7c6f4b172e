// The built-in messages in English, in the template language of docs/messages.md.
import type { TemplateDocument } from '../../domain/messages/templates.ts'
import type { Labels } from './words.ts'
import { layoutOf } from './layout.ts'

const brand = '{% if brand %}{{ brand }}: {% endif %}'
const order = 'order{% if order %} {{ order }}{% endif %}'
const name = '{% if customer.first_name %}, {{ customer.first_name }}{% endif %}'
const courier = '{% if courier %} with {{ courier }}{% endif %}'
const back = 'return{% if return %} {{ return }}{% elsif order %} of order {{ order }}{% endif %}'
const hello = '<p>Hello{% if customer.name %} {{ customer.name }}{% endif %},</p>'

export const english: TemplateDocument = {
  language: 'en',
  steps: {
    order_confirmed: {
      text: `${brand}Thank you${name}! Your ${order} is confirmed. We will message you as soon as it is on its way.`,
      subject: `Your ${order} is confirmed`,
      html: `<h1>Thank you for your order</h1>\n${hello}\n<p>Your ${order} is confirmed, and we are getting it ready. We will write to you as soon as it is on its way.</p>`,
    },
    shipped: {
      text: `${brand}Good news${name}! Your ${order} has been shipped${courier}.{% if tracking_number %} Tracking number: {{ tracking_number }}.{% endif %}`,
      subject: `Your ${order} is on its way`,
      html: `<h1>Your order is on its way</h1>\n${hello}\n<p>Good news: your ${order} has been shipped${courier}. We will write again on the day it comes to you.</p>`,
    },
    out_for_delivery: {
      text: `${brand}Your ${order} is out for delivery${courier}.{% if cod %} Please keep {{ cod }} ready for payment.{% endif %} Please keep your phone at hand.`,
      subject: `Your ${order} is out for delivery`,
      html: `<h1>Out for delivery</h1>\n${hello}\n<p>Your ${order} is out for delivery${courier}. Please keep your phone at hand: the courier may call you.</p>\n{% if cod %}<p>Please keep <strong>{{ cod }}</strong> ready for payment at the door.</p>{% endif %}`,
    },
    attempt_failed: {
      text: `${brand}Sorry, your ${order} could not be delivered{% if reason %}: {{ reason }}{% endif %}.{% if retry %} We will try again soon. Please keep your phone at hand.{% endif %}`,
      subject: `We could not deliver your ${order}`,
      html: `<h1>Your order could not be delivered</h1>\n${hello}\n<p>We are sorry: we could not deliver your ${order}{% if reason %}, because {{ reason }}{% endif %}.</p>\n{% if retry %}<p>We will try again soon. Please keep your phone at hand.</p>{% endif %}`,
    },
    delivered: {
      text: `${brand}Your ${order} has been delivered. We hope you love it. {% if brand %}Thank you for shopping with us!{% else %}Thank you for your order!{% endif %}`,
      subject: `Your ${order} has been delivered`,
      html: `<h1>Delivered</h1>\n${hello}\n<p>Your ${order} has been delivered. We hope you love it.</p>\n<p>{% if brand %}Thank you for shopping with us!{% else %}Thank you for your order!{% endif %}</p>`,
    },
    coming_back: {
      text: `${brand}Sorry, your ${order} could not be delivered and is on its way back to {% if brand %}us{% else %}the seller{% endif %}. If you still want it, please get in touch with {% if brand %}us{% else %}the seller{% endif %}.`,
      subject: `Your ${order} is on its way back`,
      html: `<h1>Your order is on its way back</h1>\n${hello}\n<p>We are sorry: your ${order} could not be delivered and is on its way back to {% if brand %}us{% else %}the seller{% endif %}.</p>\n<p>If you still want it, please get in touch with {% if brand %}us{% else %}the seller{% endif %}.</p>`,
    },
    return_pickup_scheduled: {
      text: `${brand}The pickup of your ${back} is scheduled${courier}. Please keep the items packed and your phone at hand.`,
      subject: `The pickup of your ${back} is scheduled`,
      html: `<h1>Your pickup is scheduled</h1>\n${hello}\n<p>The pickup of your ${back} is scheduled${courier}.</p>\n<p>Please keep the items packed and your phone at hand: the courier may call you.</p>`,
    },
    return_received: {
      text: `${brand}Your ${back} has reached {% if brand %}us{% else %}the seller{% endif %}. Thank you for sending it back.`,
      subject: `Your ${back} has arrived`,
      html: `<h1>Your return has arrived</h1>\n${hello}\n<p>Your ${back} has reached {% if brand %}us{% else %}the seller{% endif %}. Thank you for sending it back.</p>`,
    },
    refund: {
      text: `${brand}The refund for your ${back} has been processed. It can take a few days to show in your account.`,
      subject: `The refund for your ${back} has been processed`,
      html: `<h1>Your refund has been processed</h1>\n${hello}\n<p>The refund for your ${back} has been processed. It can take a few days to show in your account.</p>`,
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
