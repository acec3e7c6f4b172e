// The built-in messages in Hindi, in the template language of docs/guides/messages.md.
import type { TemplateDocument } from '../../domain/messages/templates.ts'
import type { Labels } from './words.ts'
import { contentOf, layoutOf, paragraph } from './layout.ts'

const brand = '{% if brand %}{{ brand }}: {% endif %}'
const order = 'ऑर्डर{% if order %} {{ order }}{% endif %}'
const name = '{% if customer.first_name %}, {{ customer.first_name }}{% endif %}'
const courier = '{% if courier %} {{ courier }} से{% endif %}'
const back = 'रिटर्न{% if return %} {{ return }}{% elsif order %} (ऑर्डर {{ order }}){% endif %}'
const call = 'कृपया फ़ोन पास रखें, कूरियर आपको कॉल कर सकता है।'
const hello = paragraph('नमस्ते{% if customer.name %} {{ customer.name }}{% endif %},')
const us = '{% if brand %}हमसे{% else %}विक्रेता से{% endif %}'
const ours = '{% if brand %}हमारे{% else %}विक्रेता के{% endif %}'

export const hindi: TemplateDocument = {
  language: 'hi',
  steps: {
    order_confirmed: {
      text: `${brand}धन्यवाद${name}! आपका ${order} कन्फ़र्म हो गया है। रवाना होते ही हम आपको बताएँगे।`,
      subject: `आपका ${order} कन्फ़र्म हो गया है`,
      html: contentOf(
        'ऑर्डर के लिए धन्यवाद',
        hello,
        paragraph(`आपका ${order} कन्फ़र्म हो गया है और हम इसे तैयार कर रहे हैं। रवाना होते ही हम आपको बताएँगे।`),
      ),
    },
    shipped: {
      text:
        `${brand}खुशखबरी${name}! आपका ${order}${courier} भेज दिया गया है।` +
        '{% if tracking_number %} ट्रैकिंग नंबर: {{ tracking_number }}{% endif %}',
      subject: `आपका ${order} भेज दिया गया है`,
      html: contentOf(
        'आपका ऑर्डर रास्ते में है',
        hello,
        paragraph(`आपका ${order}${courier} भेज दिया गया है। जिस दिन यह आपके पास पहुँचेगा, हम फिर बताएँगे।`),
      ),
    },
    out_for_delivery: {
      text:
        `${brand}आपका ${order} डिलीवरी के लिए निकल चुका है।` +
        '{% if cod %} कृपया भुगतान के लिए {{ cod }} तैयार रखें।{% endif %} कृपया फ़ोन पास रखें।',
      subject: `आपका ${order} डिलीवरी के लिए निकल चुका है`,
      html: contentOf(
        'डिलीवरी के लिए निकल चुका है',
        hello,
        paragraph(`आपका ${order}${courier} डिलीवरी के लिए निकल चुका है। ${call}`),
        `{% if cod %}${paragraph('कृपया भुगतान के लिए <strong>{{ cod }}</strong> तैयार रखें।')}{% endif %}`,
      ),
    },
    attempt_failed: {
      text:
        `${brand}क्षमा करें, आपका ${order} डिलीवर नहीं हो सका{% if reason %}: {{ reason }}{% endif %}।` +
        '{% if retry %} हम जल्द ही फिर कोशिश करेंगे। कृपया फ़ोन पास रखें।{% endif %}',
      subject: `आपका ${order} डिलीवर नहीं हो सका`,
      html: contentOf(
        'डिलीवरी नहीं हो सकी',
        hello,
        paragraph(`क्षमा करें, आपका ${order} डिलीवर नहीं हो सका{% if reason %}: {{ reason }}{% endif %}।`),
        `{% if retry %}${paragraph('हम जल्द ही फिर कोशिश करेंगे। कृपया फ़ोन पास रखें।')}{% endif %}`,
      ),
    },
    delivered: {
      text: `${brand}आपका ${order} डिलीवर हो गया है। उम्मीद है आपको पसंद आएगा। खरीदारी के लिए धन्यवाद!`,
      subject: `आपका ${order} डिलीवर हो गया है`,
      html: contentOf(
        'डिलीवर हो गया',
        hello,
        paragraph(`आपका ${order} डिलीवर हो गया है। उम्मीद है आपको पसंद आएगा।`),
        paragraph('खरीदारी के लिए धन्यवाद!'),
      ),
    },
    coming_back: {
      text:
        `${brand}क्षमा करें, आपका ${order} डिलीवर नहीं हो सका और ${ours} पास वापस आ रहा है। ` +
        `यदि यह आपको अब भी चाहिए, तो कृपया ${us} संपर्क करें।`,
      subject: `आपका ${order} वापस आ रहा है`,
      html: contentOf(
        'आपका ऑर्डर वापस आ रहा है',
        hello,
        paragraph(`क्षमा करें, आपका ${order} डिलीवर नहीं हो सका और ${ours} पास वापस आ रहा है।`),
        paragraph(`यदि यह आपको अब भी चाहिए, तो कृपया ${us} संपर्क करें।`),
      ),
    },
    return_pickup_scheduled: {
      text: `${brand}आपके ${back} का पिकअप${courier} तय हो गया है। कृपया सामान पैक करके और फ़ोन पास रखें।`,
      subject: `आपके ${back} का पिकअप तय हो गया है`,
      html: contentOf(
        'पिकअप तय हो गया है',
        hello,
        paragraph(`आपके ${back} का पिकअप${courier} तय हो गया है।`),
        paragraph('कृपया सामान पैक करके और फ़ोन पास रखें, कूरियर आपको कॉल कर सकता है।'),
      ),
    },
    return_received: {
      text: `${brand}आपका ${back} ${ours} पास पहुँच गया है। वापस भेजने के लिए धन्यवाद।`,
      subject: `आपका ${back} पहुँच गया है`,
      html: contentOf(
        'आपका रिटर्न पहुँच गया है',
        hello,
        paragraph(`आपका ${back} ${ours} पास पहुँच गया है। वापस भेजने के लिए धन्यवाद।`),
      ),
    },
    refund: {
      text: `${brand}आपके ${back} का रिफ़ंड कर दिया गया है। खाते में दिखने में कुछ दिन लग सकते हैं।`,
      subject: `आपके ${back} का रिफ़ंड कर दिया गया है`,
      html: contentOf(
        'रिफ़ंड कर दिया गया है',
        hello,
        paragraph(`आपके ${back} का रिफ़ंड कर दिया गया है। आपके खाते में दिखने में कुछ दिन लग सकते हैं।`),
      ),
    },
  },
  layout: layoutOf({
    logo: 'लोगो',
    why: 'यह ई-मेल आपको {% if brand %}{{ brand }} पर {% endif %}आपके ऑर्डर के कारण मिला है।',
  }),
}

/** The labels of a page's details. */
export const hindiLabels: Labels = {
  order: 'ऑर्डर',
  courier: 'कूरियर',
  tracking_number: 'ट्रैकिंग नंबर',
  cod: 'डिलीवरी पर भुगतान',
  items: 'सामान',
  return: 'रिटर्न',
  more: (count) => `और ${count}`,
}

/** Why a parcel was not delivered; null if a customer should read no reason. */
export const hindiReasons: Readonly<Record<string, string | null>> = {
  customer_not_available: 'आप उपलब्ध नहीं थे',
  address_incomplete: 'पता अधूरा था',
  customer_refused: 'इसे लिया नहीं गया',
  premises_closed: 'परिसर बंद था',
  customer_unreachable: 'आपसे संपर्क नहीं हो सका',
  payment_not_ready: 'भुगतान तैयार नहीं था',
  future_delivery_requested: 'बाद की तारीख माँगी गई थी',
  self_pickup: 'इसे कूरियर के यहाँ से लिया जाना है',
  out_of_delivery_area: 'पता कूरियर के क्षेत्र से बाहर है',
  shipment_damaged: 'पार्सल रास्ते में क्षतिग्रस्त हो गया',
  fake_attempt: null,
  other: null,
}
