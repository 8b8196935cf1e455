"""The style sheet of the page, on the screen and on paper."""

STYLE_SHEET = """
:root { color-scheme: light; --text: #1A1E24; --secondary: #59626E; --border: #DDE1E7;
  --accent: #0F62AC; --soft: #E4EFFA; --warn: #8F5200; --warn-soft: #FBF0DC; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 66rem; padding: 2rem 1.5rem 4rem; color: var(--text);
  background: #fff; font: 15px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .6rem; padding-top: .9rem;
  border-top: 1px solid var(--border); }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p, dl, ul { margin: .5rem 0; max-width: 48rem; }
.result { font-size: 1.1rem; max-width: none; border-left: 4px solid var(--accent);
  background: var(--soft); padding: .8rem 1rem; }
.note, caption, figcaption { color: var(--secondary); font-size: .87rem; }
.warning { border: 1px solid var(--warn); border-left-width: 4px; background: var(--warn-soft);
  padding: .7rem 1rem; margin: 1rem 0; max-width: none; }
.warning strong, td strong { color: var(--warn); }
.warning h2, .warning p, .warning ul { margin: .2rem 0; max-width: none; }
.warning h2 { border: 0; padding: 0; color: var(--warn); }
.scroll { overflow-x: auto; margin: .6rem 0 1rem; }
.scroll:focus-visible { outline: 2px solid var(--accent); }
table { border-collapse: collapse; font-size: .87rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0 0 .4rem; }
th, td { text-align: left; vertical-align: top; padding: .28rem .9rem .28rem 0;
  border-bottom: 1px solid var(--border); }
thead th { border-bottom: 1.5px solid var(--secondary); font-weight: 600; vertical-align: bottom; }
tfoot td { font-weight: 600; border-bottom: 0; }
th.number, td.number { text-align: right; white-space: nowrap; }
td.number + td, th.number + th { padding-left: .6rem; }
th[scope=row] { font-weight: 600; white-space: nowrap; }
td.name { min-width: 5rem; }
td.text { min-width: 11rem; } td.text:first-child { min-width: 0; white-space: nowrap; }
code { font: .84em/1.4 ui-monospace, Consolas, "DejaVu Sans Mono", monospace;
  overflow-wrap: anywhere; }
.figures { display: grid; gap: 1.8rem 2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
figure { margin: 0; break-inside: avoid; }
figure.wide { grid-column: 1 / -1; max-width: 48rem; }
figure svg { display: block; width: 100%; height: auto; }
figcaption strong { display: block; color: var(--text); font-size: .95rem; }
dl.terms { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
summary { cursor: pointer; font-weight: 600; }
@media (max-width: 40rem) {
  body { padding: 1rem 1rem 3rem; } h1 { font-size: 1.35rem; } .result { font-size: 1rem; }
  dl.terms { grid-template-columns: 1fr; gap: 0; } dd { margin: 0 0 .5rem; }
}
@page { size: A4; margin: 16mm 15mm 18mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 9.5pt; line-height: 1.4; }
  .result, .warning { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .result { font-size: 10.5pt; padding: 2.5mm 4mm; } .note, caption { font-size: 8pt; }
  figcaption strong { font-size: 8.5pt; } h1 { font-size: 16pt; }
  h2 { font-size: 12pt; margin: 5mm 0 2mm; padding-top: 2.5mm; }
  h2, h3, caption, figcaption strong { break-after: avoid; }
  p, dl, ul { max-width: none; orphans: 3; widows: 3; }
  .scroll { overflow: visible; margin: 1mm 0 3mm; } table { width: 100%; font-size: 8pt; }
  td.text { min-width: 0; }
  th.number { white-space: normal; } th, td { padding-top: .8mm; padding-bottom: .8mm; }
  figcaption { font-size: 7.5pt; line-height: 1.3; } .warning { margin: 2mm 0; padding: 2mm 3mm; }
  thead { display: table-header-group; } tfoot { display: table-row-group; }
  tr, .warning, .result { break-inside: avoid; }
  .figures { grid-template-columns: 1fr 1fr; gap: 4mm 7mm; }
  figure.wide { max-width: 150mm; }
}
"""
