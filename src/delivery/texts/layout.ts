// The built-in page of an e-mail: tables and inline styles, as mail programs need them. Each language supplies its
// words.

interface Words {
  readonly logo: string
  readonly why: string
}

const font =
  "font-family:-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Devanagari','Nirmala UI',Arial,sans-serif"

/** A paragraph of an e-mail's content. */
export const paragraph = (text: string): string => `<p>${text}</p>`

/** An e-mail's content: a heading, and a line for each block below it. */
export const contentOf = (heading: string, ...blocks: readonly string[]): string =>
  [`<h1>${heading}</h1>`, ...blocks].join('\n')

/** Tables arrange the page; a screen reader does not read them as tables. */
const table = (attributes: string): string =>
  `<table role="presentation"${attributes} width="100%" cellpadding="0" cellspacing="0" border="0"`

/** A store's logo on white, so that a dark page does not swallow it. */
const logoOf = (words: Words): string =>
  '<table role="presentation" cellpadding="0" cellspacing="0" border="0">' +
  '<tr><td style="padding:8px 14px;border-radius:10px;background:#ffffff">' +
  `<img src="{{ logo }}" alt="{{ brand | default: '${words.logo}' }}"` +
  ' style="display:block;max-height:56px;max-width:220px;border:0"></td></tr></table>'

const bodyStyle =
  'margin:0;padding:0;background:#f2f4f7;color:#1c2430;' +
  `${font};font-size:16px;line-height:1.55;-webkit-text-size-adjust:100%`
const brandStyle = 'padding:0 0 20px;font-size:20px;font-weight:700;color:#1c2430;word-break:break-word'
const contentStyle = 'padding:32px 36px;color:#1c2430;word-break:break-word'
const footerStyle = 'padding:20px 24px;font-size:13px;line-height:1.5;color:#5b6472;word-break:break-word'

/** The page, as a template that contains `content`. */
export const layoutOf = (words: Words): string => `<!doctype html>
<html lang="{{ language }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{{ subject }}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
h1 { margin: 0 0 16px; font-size: 23px; line-height: 1.3; font-weight: 700; }
p { margin: 0 0 14px; }
@media (max-width: 480px) { .inside { padding: 24px 20px !important; } }
@media (prefers-color-scheme: dark) {
.page { background: #14171c !important; }
.card { background: #1f242c !important; border-color: #343b46 !important; }
.ink { color: #eef1f5 !important; }
.soft { color: #a7b0be !important; }
.rule { border-color: #343b46 !important; }
}
</style>
</head>
<body class="page ink" style="${bodyStyle}">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">{{ text }}</div>
${table(' class="page"')} style="background:#f2f4f7">
<tr><td align="center" style="padding:28px 12px">
${table('')} style="max-width:560px">
{% if logo %}<tr><td align="center" style="padding:0 0 20px">${logoOf(words)}</td></tr>
{% elsif brand %}<tr><td class="ink" align="center" style="${brandStyle}">{{ brand }}</td></tr>
{% endif %}<tr><td class="card" style="background:#ffffff;border:1px solid #e1e5eb;border-radius:14px">
${table('')}><tr><td class="inside ink" style="${contentStyle}">
{{ content }}
{{ details }}
</td></tr></table>
</td></tr>
<tr><td class="soft" align="center" style="${footerStyle}">${words.why}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
