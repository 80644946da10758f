"""The look of the page, and the script that filters it; constants of our own."""

from typing import Final

STYLE: Final = """
:root{--bg:#fbfaf7;--fg:#1d1c1a;--faint:#6b6860;--line:#dcd8cf;--accent:#8a4b08;
--session:#3f6d8c;--handoff:#8a4b08;--thread:#2c7145}
@media (prefers-color-scheme:dark){:root{--bg:#16171a;--fg:#e8e6e1;--faint:#9b988f;
--line:#33343a;--accent:#f0b060;--session:#8ab8d8;--handoff:#f0b060;--thread:#7fcf9b}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:62rem;padding:1.5rem 1rem 4rem;background:var(--bg);
color:var(--fg);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;border-bottom:1px solid var(--line);
padding-bottom:.25rem;margin-top:2.5rem}h3{font-size:1rem;margin:1.25rem 0 0}
header p{margin:.25rem 0 1rem}header p,small,figcaption,time,.rule{color:var(--faint)}
p{margin:.15rem 0}a{color:var(--accent)}nav a{margin-right:1rem}
figure{margin:1rem 0}svg{max-width:100%}svg.days rect{fill:var(--accent)}
svg.graph{width:100%;height:auto}svg.graph line{stroke:var(--faint);opacity:.55}
svg.graph circle{fill:var(--accent)}
svg.graph text{fill:var(--fg);font:13px system-ui,sans-serif}
ol,ul{list-style:none;padding:0;margin:0}
#timeline li{display:grid;grid-template-columns:9.5rem 1fr;gap:.75rem;
padding:.5rem 0;border-bottom:1px solid var(--line);content-visibility:auto;
contain-intrinsic-size:auto 4.5rem}
time{font-variant-numeric:tabular-nums}
strong,small,p,li{overflow-wrap:anywhere}small{display:block}
i,b,em{font-style:normal;font-weight:500;color:var(--accent)}
i{border:1px solid var(--line);border-radius:.6rem;padding:0 .45rem;font-size:.85em}
.session .glyph{color:var(--session)}.handoff .glyph{color:var(--handoff)}
.thread .glyph,.tree .glyph{color:var(--thread)}
.tree{font-family:ui-monospace,monospace;font-size:.9rem}
.tree li{white-space:pre-wrap;line-height:1.35}
.aside{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
input{font:inherit;color:inherit;background:transparent;border:1px solid var(--line);
border-radius:.3rem;padding:.2rem .5rem;width:min(24rem,60vw)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[hidden]{display:none!important}
@media (max-width:36rem){#timeline li{grid-template-columns:1fr;gap:0}}
@media print{body{max-width:none;padding:0;font-size:10pt;background:#fff;color:#000}
nav,.filter{display:none}#timeline li{content-visibility:visible;break-inside:avoid}}
"""
SCRIPT: Final = """
const field=document.getElementById("filter"),told=document.getElementById("found");
const items=[...document.querySelectorAll("#timeline li")];
const texts=items.map(item=>item.textContent.toLowerCase());
field.addEventListener("input",()=>{
const words=field.value.toLowerCase().split(/\\s+/).filter(Boolean);let found=0;
items.forEach((item,at)=>{const is=words.every(word=>texts[at].includes(word));
item.hidden=!is;found+=is});
told.textContent=words.length?found+" of "+items.length:""});
field.addEventListener("keydown",event=>{if(event.key==="Escape"){field.value="";
field.dispatchEvent(new Event("input"))}});
"""
