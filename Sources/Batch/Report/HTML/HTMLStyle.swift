/// The constant parts of a page: style, script, and the policy that allows only these two.
enum HTMLStyle {
  /// Only this style, this script and pictures within the page. The hashes are SHA-256 of
  /// `style` and `script`; a browser applies neither when they are wrong.
  static let policy =
    "default-src 'none'; img-src data:; style-src "
    + "'sha256-E4nHPY57iC/WsXfHiG2j7+L9S9oQ8p2N19B2rA+Gl1Q='; "
    + "script-src 'sha256-TCGOiceeSF4ocmzIt5UEp88KduJd3bunSUxI3S7ivpo='; "
    + "base-uri 'none'; form-action 'none'"

  /// Controls that only the script makes visible.
  static let tools = """
    <div id=tools role=search aria-label="Files of this page" hidden>
    <label>Filter <input id=find type=search placeholder="name, camera, warning"></label>
    <label>Pictures <select id=only><option value="">all</option>
    <option value=w>with warnings</option><option value=a>with highlights above white</option>
    <option value=c>with clipping</option></select></label>
    <label>Sort by <select id=sort><option value="">name</option><option value=h>headroom</option>
    <option value=a>fraction above white</option><option value=c>clipped fraction</option>
    <option value=s>time</option></select></label>
    <output id=shown></output>
    </div>

    """

  static let style = """
    :root{--bg:#f2f2f0;--card:#fff;--mat:#e3e3e0;--ink:#1d1d1b;--soft:#575754;--line:#d6d6d2;\
    --bad:#a11212;--warn:#744600;--good:#1c6331;--link:#0a4f99;--sdr:#83837f;--hdr:#d9790b;\
    --white:#1d1d1b}
    @media \
    (prefers-color-scheme:dark){:root{--bg:#191918;--card:#232322;--mat:#121211;--ink:#ebebe8;\
    --soft:#aaaaa6;--line:#3b3b39;--bad:#ff8d83;--warn:#efb45c;--good:#7dd397;--link:#8fbcff;\
    --sdr:#8b8b87;--hdr:#ffae3d;--white:#ebebe8}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;scroll-padding-top:4rem}
    body{margin:0;background:var(--bg);color:var(--ink);\
    font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
    [hidden]{display:none!important}
    header,main{max-width:110rem;margin:0 auto;padding:0 clamp(.75rem,2.5vw,2rem)}
    header{padding-top:1.6rem}
    h1{font-size:1.55rem;line-height:1.2;font-weight:650;margin:0 0 .3rem;overflow-wrap:anywhere}
    h2{display:inline-block;font-size:1.1rem;font-weight:650;margin:0}
    section{margin:1.6rem 0}
    section>h2{margin-bottom:.55rem}
    .n{color:var(--soft);font-weight:400;margin-left:.2em}
    .soft,.legend,small,h2 small{color:var(--soft)}
    small{font-size:.85em;font-weight:400}
    .verdict{margin:0;font-size:1.05rem}
    .soft{margin:.1rem 0 0}
    a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:2px}
    :focus-visible{outline:2px solid var(--link);outline-offset:2px}
    dl{margin:0}dd{margin:0}
    .counts{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));max-width:46rem;gap:.6rem;\
    margin-top:1.1rem}
    .counts div{background:var(--card);border:1px solid \
    var(--line);border-radius:6px;padding:.55rem .8rem}
    .counts dt{color:var(--soft);font-size:.85rem}
    .counts dd{font-size:1.55rem;font-weight:600;line-height:1.2;font-variant-numeric:tabular-nums}
    .counts .done dd{color:var(--good)}.counts .failed dd{color:var(--bad)}
    .counts .interrupted dd{color:var(--warn)}.counts .zero dd{color:var(--soft);font-weight:400}
    .facts{display:flex;flex-wrap:wrap;gap:.35rem 1.8rem;margin-top:.9rem}
    .facts dt{color:var(--soft);font-size:.85rem}
    .facts dd{overflow-wrap:anywhere}
    #tools{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.4rem \
    1.2rem;align-items:center;\
    background:var(--bg);border-bottom:1px solid var(--line);margin-top:1rem;\
    padding:.6rem max(clamp(.75rem,2.5vw,2rem),calc((100vw - 110rem)/2 + 2rem))}
    #tools label{color:var(--soft)}#find,select{margin-left:.3rem}
    input,select{font:inherit;color:var(--ink);background:var(--card);border:1px solid \
    var(--soft);border-radius:4px;padding:.2rem .4rem}
    input::placeholder{color:var(--soft);opacity:1}
    #find{width:15rem;max-width:60vw}
    #shown{color:var(--soft)}
    table{border-collapse:collapse;width:100%;background:var(--card);border:1px solid \
    var(--line);border-radius:6px}
    th,td{text-align:left;vertical-align:top;padding:.35rem .8rem;border-top:1px solid var(--line);\
    font-weight:400;overflow-wrap:anywhere}
    thead th{color:var(--soft);font-size:.85rem;border-top:0}
    tbody th{font-weight:550}
    #failures th:first-child{width:32%}#failures \
    td:nth-child(2){white-space:nowrap;overflow-wrap:normal;width:1%}
    .failed h2{color:var(--bad)}.warnings h2{color:var(--warn)}
    code{font:.9em ui-monospace,"SF Mono",Menlo,"DejaVu Sans Mono",monospace}
    .failed code{color:var(--bad)}
    .warnings ul{margin:0;padding:.5rem .8rem .5rem 1.9rem;background:var(--card);border:1px solid \
    var(--line);border-radius:6px}
    .warnings>details{margin-top:.5rem}
    .warnings li{margin:.15rem 0;overflow-wrap:anywhere}
    summary{cursor:pointer}
    .warnings summary{color:var(--soft);font-size:.85em}
    details[open]>summary{margin-bottom:.5rem}
    .names{columns:20rem;column-gap:2rem;margin:0;padding-left:1.2rem}
    .names li{overflow-wrap:anywhere;break-inside:avoid}
    .legend{margin:0 0 .7rem;font-size:.87rem}
    .key{display:inline-block;width:.8em;height:.8em;margin:0 .15em 0 .5em;border-radius:2px}
    .key.sdr{background:var(--sdr)}.key.hdr{background:var(--hdr)}
    #items{list-style:none;margin:0;padding:0;display:grid;gap:.9rem;\
    grid-template-columns:repeat(auto-fill,minmax(min(15.5rem,100%),1fr))}
    .card{background:var(--card);border:1px solid \
    var(--line);border-radius:6px;padding:.6rem;overflow:hidden;\
    content-visibility:auto;contain-intrinsic-size:auto \
    27rem;break-inside:avoid;display:flex;flex-direction:column}
    .card:target{outline:2px solid var(--link)}
    .pic{position:relative;aspect-ratio:3/2;background:var(--mat);border-radius:3px;\
    overflow:hidden;\
    display:flex;align-items:center;justify-content:center}
    .pic img{position:absolute;inset:0;width:100%;height:100%;object-fit:contain}
    .none{color:var(--soft);font-size:.85rem}
    .hist{display:block;width:100%;height:2.7rem;margin-top:.5rem;border-bottom:1px solid \
    var(--soft)}
    div.hist{display:flex;align-items:center;justify-content:center;border-bottom-color:var(--line)}
    path.sdr{fill:var(--sdr)}path.hdr{fill:var(--hdr)}
    path.tick,path.white{fill:none;stroke:var(--line);stroke-width:1px;\
    vector-effect:non-scaling-stroke}
    path.white{stroke:var(--white)}
    bdi{white-space:pre-wrap}
    h3{font-size:.97rem;line-height:1.3;margin:.5rem 0 0;overflow-wrap:anywhere}
    h3 small{display:block;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
    h3 b{font-weight:600;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;\
    overflow:hidden}
    .camera{color:var(--soft);font-size:.87rem;margin:0 0 .35rem;overflow-wrap:anywhere}
    .card dl{margin-bottom:.45rem;font-size:.87rem;font-variant-numeric:tabular-nums}
    .card dl div{display:flex;justify-content:space-between;gap:.8rem;padding:.06rem 0}
    .card dt{color:var(--soft)}
    .card dd{text-align:right;overflow-wrap:anywhere}
    .out{list-style:none;margin:auto 0 0;padding:.4rem 0 0;border-top:1px solid \
    var(--line);font-size:.87rem}
    .out li{overflow-wrap:anywhere}
    .warn{margin:.4rem 0 0;color:var(--warn);font-size:.87rem;overflow-wrap:anywhere}
    .warn::before{content:"⚠ ";content:"⚠ " / ""}
    @media \
    (max-width:34rem){body{font-size:14px}.counts{grid-template-columns:repeat(2,minmax(0,1fr))}\
    .facts{display:grid;grid-template-columns:1fr 1fr;gap:.35rem .8rem}\
    #tools{position:static}#tools label{display:flex;gap:.6rem;align-items:center;width:100%}\
    #find,select{flex:1;width:auto;max-width:none;min-width:0}\
    table,thead,tbody,tr,th,td{display:block;width:auto!important}thead{display:none}\
    tr{border-top:1px solid var(--line);padding:.35rem 0}th,td{border:0;padding:.05rem .7rem}}
    @media print{:root{--bg:#fff}body{font-size:9pt}#tools{display:none!important}\
    .card{content-visibility:visible}#items{grid-template-columns:repeat(4,1fr)}\
    header,main{max-width:none;padding:0}a{color:inherit;text-decoration:none}}
    """

  static let script = """
    "use strict";(()=>{
    const get=id=>document.getElementById(id),tools=get("tools"),list=get("items");
    const all=[...document.querySelectorAll(".f")],cards=list?[...list.children]:[];
    const find=get("find"),only=get("only"),sort=get("sort"),shown=get("shown");
    if(!all.length)return;
    let words;
    const textOf=e=>e.classList.contains("card")?[...e.querySelectorAll("h3,.camera,.warn,.out")]\
    .map(p=>p.textContent).join(" "):e.textContent;
    const filter=()=>{
    words??=new Map(all.map(e=>[e,textOf(e).toLowerCase()]));
    const want=find.value.trim().toLowerCase(),kind=only.value;let count=0;
    for(const e of all){
    let good=!want||words.get(e).includes(want);
    if(good&&kind&&e.dataset.status==="done")good=kind==="w"?"w" in e.dataset:+e.dataset[kind]>0;
    e.hidden=!good;if(good)count++}
    for(const d of document.querySelectorAll("#skipped,#interrupted"))\
    if(want)d.open=!!d.querySelector(".f:not([hidden])");
    shown.textContent=want||kind?`${count} of ${all.length} files`:""};
    const order=()=>{
    const key=sort.value;
    const sorted=key?[...cards].sort((a,b)=>b.dataset[key]-a.dataset[key]):cards;
    list.append(...sorted)};
    let waits=0;
    find.addEventListener("input",()=>{clearTimeout(waits);waits=setTimeout(filter,120)});
    only.addEventListener("change",filter);
    if(list)sort.addEventListener("change",order);
    else{only.parentElement.hidden=true;sort.parentElement.hidden=true}
    tools.hidden=false;if(find.value||only.value)filter();if(list&&sort.value)order();
    })();
    """
}
