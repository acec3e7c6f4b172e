// The style of HTML pages: one column on a phone, two on a desktop, light or dark like the reader's system, light
// on paper.

const light = `
  color-scheme: light;
  --page: #f6f8fa; --panel: #ffffff; --ink: #1a1f36; --soft: #545b6e; --line: #e1e6ee; --edge: #e6eaf0;
  --accent: #5851df; --good: #12805c; --on-good: #ffffff; --bad: #d1480f;
  --open: #aebacb; --warn: #c98a04; --none: #7c8698;
  --wash: #f0f1fd;
`
const dark = `
  color-scheme: dark;
  --page: #0d111b; --panel: #151b29; --ink: #eceff6; --soft: #a3adc0; --line: #2b3448; --edge: #232b3d;
  --accent: #8c87ff; --good: #2fa97d; --on-good: #06150f; --bad: #f0814d;
  --open: #55627a; --warn: #e0b341; --none: #76819a;
  --wash: #1f2340;
`

/** The whole style sheet. Charts use its colour names (drawing.ts). */
export const style = `
:root { ${light} }
@media screen and (prefers-color-scheme: dark) { :root { ${dark} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", Inter, Roboto, "Helvetica Neue",
    "Noto Sans", "Liberation Sans", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
main, header, footer { max-width: 1024px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 40px; padding-bottom: 20px; }
.brand { margin: 0 0 18px; font-size: 13px; font-weight: 650; letter-spacing: .02em; color: var(--accent); }
h1 { margin: 0; font-size: 30px; line-height: 1.2; letter-spacing: -.02em; font-weight: 650; text-wrap: balance; }
.period { margin: 6px 0 0; font-size: 16px; color: var(--soft); }
.facts {
  margin: 14px 0 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 4px 20px;
  font-size: 13px; color: var(--soft);
}
.filters { margin: 12px 0 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 8px; font-size: 13px; }
.filters li { padding: 2px 10px; border-radius: 6px; background: var(--wash); max-width: 100%; }
.note {
  margin: 16px 0 0; padding: 10px 14px; border-left: 3px solid var(--warn); background: var(--panel);
  border-radius: 0 6px 6px 0; font-size: 14px;
}
section {
  background: var(--panel); border: 1px solid var(--edge); border-radius: 10px; padding: 22px 24px;
  margin: 0 0 20px;
}
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 20px; margin: 0 0 20px; align-items: stretch; }
.pair > section, .stack > section { margin: 0; min-width: 0; }
.stack { display: grid; gap: 20px; min-width: 0; grid-template-rows: auto 1fr; }
h2 { margin: 0; font-size: 16px; font-weight: 650; letter-spacing: -.01em; }
.lead { margin: 2px 0 14px; font-size: 13.5px; color: var(--soft); }
.headline { padding: 0; overflow: hidden; }
.figures { margin: 0; display: flex; flex-wrap: wrap; gap: 1px; background: var(--edge); }
.figures > div { flex: 1 1 22%; min-width: 0; background: var(--panel); padding: 18px 22px 16px; }
dt { font-size: 13px; color: var(--soft); }
dd { margin: 0; }
dd.figure {
  font-size: 25px; line-height: 1.3; font-weight: 620; letter-spacing: -.02em; white-space: nowrap;
  overflow-wrap: normal;
}
dd.detail { font-size: 13px; color: var(--soft); }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg.phone { display: none; }
.key {
  margin: 0 0 12px; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px;
  font-size: 13px; color: var(--soft);
}
.key li::before {
  content: ""; display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 7px;
  background: var(--swatch);
}
.good { --swatch: var(--good); } .bad { --swatch: var(--bad); } .open { --swatch: var(--open); }
details { margin-top: 16px; font-size: 13px; }
summary { color: var(--soft); cursor: pointer; width: fit-content; border-radius: 4px; }
summary:hover { color: var(--ink); }
summary:focus-visible, .table:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
/* A shadow at an edge says that columns go on behind it. */
.table {
  overflow-x: auto; margin-top: 10px;
  background:
    linear-gradient(to right, var(--panel) 40%, transparent) 0 0 / 32px 100% no-repeat local,
    linear-gradient(to left, var(--panel) 40%, transparent) 100% 0 / 32px 100% no-repeat local,
    linear-gradient(to right, var(--edge), transparent) 0 0 / 14px 100% no-repeat scroll,
    linear-gradient(to left, var(--edge), transparent) 100% 0 / 14px 100% no-repeat scroll;
}
table { border-collapse: collapse; min-width: 100%; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td {
  padding: 6px 0 6px 18px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap;
  font-weight: 400;
}
th:first-child { padding-left: 0; text-align: left; white-space: normal; min-width: 110px; max-width: 260px; }
th.name, td.name { text-align: left; }
th.words, td.words { text-align: left; white-space: normal; min-width: 240px; }
.long td, .long tbody th { font-size: 13px; }
.long tbody th { overflow-wrap: break-word; min-width: 130px; }
thead th { color: var(--soft); font-size: 12px; vertical-align: bottom; }
.findings { margin: 0; padding-left: 20px; }
.findings li { margin: 4px 0; }
.findings b { font-weight: 620; white-space: nowrap; }
.nothing { padding: 34px 0 26px; text-align: center; color: var(--soft); }
.nothing p { margin: 4px auto; max-width: 46ch; }
.nothing strong { color: var(--ink); font-size: 17px; }
code { font: .92em ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
footer { padding-top: 8px; padding-bottom: 48px; font-size: 13px; color: var(--soft); }
footer h2 { font-size: 13px; color: var(--ink); margin-bottom: 6px; }
footer ul { margin: 0 0 16px; padding-left: 18px; }
footer li { margin: 2px 0; }
@media (max-width: 860px) {
  .pair { grid-template-columns: 1fr; }
  .figures > div { flex-basis: 45%; }
}
@media screen and (max-width: 620px) {
  main, header, footer { padding-left: 14px; padding-right: 14px; }
  header { padding-top: 24px; }
  .brand { margin-bottom: 10px; }
  h1 { font-size: 25px; }
  section { padding: 18px 16px; margin-bottom: 14px; border-radius: 8px; }
  section.headline { padding: 0; }
  .pair { gap: 14px; margin-bottom: 14px; }
  .stack { gap: 14px; }
  .figures > div { padding: 14px 16px 12px; }
  dd.figure { font-size: 21px; }
  svg.full, svg.half { display: none; }
  svg.phone { display: block; }
}
@media print {
  @page { margin: 14mm 12mm; }
  :root { --page: #ffffff; }
  body { font-size: 11pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main, header, footer { max-width: none; padding-left: 0; padding-right: 0; }
  header { padding-top: 0; }
  section { break-inside: avoid; padding: 14px 16px; margin-bottom: 12px; }
  .pair { grid-template-columns: 1fr 1fr; gap: 12px; margin-bottom: 12px; break-inside: avoid; }
  section.headline { padding: 0; }
  .stack { gap: 12px; }
  .figures > div { flex-basis: 22%; padding: 10px 12px; }
  dd.figure { font-size: 19px; }
  details { display: none; }
  section.long { break-inside: auto; }
  .table { overflow: visible; background: none; }
  .table table { font-size: 8.5pt; }
  .table th, .table td { padding: 3px 0 3px 8px; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
}
`
