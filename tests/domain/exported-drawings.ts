/** Logos in the format that drawing tools export, written for tests. */
export const drawnByTools: readonly { tool: string; text: string }[] = [
  {
    tool: 'Inkscape',
    text: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->

<svg
   width="48mm"
   height="48mm"
   viewBox="0 0 48 48"
   version="1.1"
   id="svg5"
   inkscape:version="1.2.2 (b0a8486541, 2022-12-01)"
   sodipodi:docname="logo.svg"
   inkscape:export-filename="/home/ann/logo (copy).png"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:xlink="http://www.w3.org/1999/xlink"
   xmlns="http://www.w3.org/2000/svg"
   xmlns:svg="http://www.w3.org/2000/svg"
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
   xmlns:cc="http://creativecommons.org/ns#"
   xmlns:dc="http://purl.org/dc/elements/1.1/">
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff" inkscape:zoom="2.82" inkscape:window-maximized="1">
    <inkscape:grid type="xygrid" id="grid9" />
  </sodipodi:namedview>
  <defs id="defs2">
    <linearGradient inkscape:collect="always" id="linearGradient1">
      <stop style="stop-color:#1b5e20;stop-opacity:1;" offset="0" id="stop1" />
      <stop style="stop-color:#1b5e20;stop-opacity:0;" offset="1" id="stop2" />
    </linearGradient>
    <radialGradient inkscape:collect="always" xlink:href="#linearGradient1" id="radialGradient3" cx="24" cy="24" fx="24"
       fy="24" r="20" gradientTransform="matrix(1,0,0,0.5,0,12)" gradientUnits="userSpaceOnUse" />
    <inkscape:path-effect effect="spiro" id="path-effect4" is_visible="true" lpeversion="1" />
    <filter style="color-interpolation-filters:sRGB" inkscape:label="Blur" id="filter6" x="-0.1" y="-0.1" width="1.2" height="1.2">
      <feGaussianBlur stdDeviation="0.4 0.4" result="blur" id="feGaussianBlur6" />
    </filter>
  </defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1">
    <path style="fill:url(#radialGradient3);stroke:#000000;stroke-width:0.26;filter:url(#filter6);-inkscape-stroke:none"
       d="M 4,4 44,44" id="path11" inkscape:connector-curvature="0" sodipodi:nodetypes="cc" />
    <text xml:space="preserve" style="font-size:10.5833px;line-height:1.25;font-family:sans-serif" x="10" y="30" id="text12"><tspan
         sodipodi:role="line" id="tspan12" x="10" y="30">L&#246;we &amp; Co</tspan></text>
  </g>
  <metadata id="metadata20">
    <rdf:RDF>
      <cc:Work rdf:about="">
        <dc:format>image/svg+xml</dc:format>
        <dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage" />
      </cc:Work>
    </rdf:RDF>
  </metadata>
</svg>
`,
  },
  {
    tool: 'Illustrator',
    text: `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Ebene_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
\t viewBox="0 0 120 40" style="enable-background:new 0 0 120 40;" xml:space="preserve">
<style type="text/css">
\t.st0{fill:#FF6600;}
\t.st1{clip-path:url(#SVGID_2_);fill:url(#SVGID_3_);}
\t.st2{font-family:'MyriadPro-Regular';}
\t.st3{font-size:12px;letter-spacing:-1;}
</style>
<g>
\t<defs>
\t\t<rect id="SVGID_1_" width="120" height="40"/>
\t</defs>
\t<clipPath id="SVGID_2_">
\t\t<use xlink:href="#SVGID_1_"  style="overflow:visible;"/>
\t</clipPath>
\t<linearGradient id="SVGID_3_" gradientUnits="userSpaceOnUse" x1="0" y1="20" x2="120" y2="20">
\t\t<stop  offset="0" style="stop-color:#FFFFFF"/>
\t\t<stop  offset="1" style="stop-color:#000000"/>
\t</linearGradient>
\t<path class="st1" d="M0,0h120v40H0V0z"/>
\t<polygon class="st0" points="1,1 2,2 3,1 "/>
\t<image style="overflow:visible;" width="1" height="1" xlink:href="data:image/png;base64,iVBORw0KGgo
AAAANSUhEUg==" transform="matrix(1 0 0 1 10 10)"></image>
\t<text transform="matrix(1 0 0 1 20 30)" class="st2 st3">Vestibule</text>
</g>
</svg>
`,
  },
  {
    tool: 'Illustrator, as for a screen',
    text: `<?xml version="1.0" encoding="UTF-8"?><svg id="a" data-name="Layer 1 (copy)" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 64 64"><defs><style>.c{fill:url(#b);}.d{mix-blend-mode:multiply;isolation:isolate;}@media (prefers-color-scheme:dark){.d{fill:#fff}}</style><linearGradient id="b" x1="0" y1="0" x2="64" y2="64" gradientTransform="translate(0 64) scale(1 -1)" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#f60"/></linearGradient></defs><g class="d"><circle class="c" cx="32" cy="32" r="30"/></g></svg>`,
  },
  {
    tool: 'Figma',
    text: `<svg width="120" height="40" viewBox="0 0 120 40" fill="none" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
<g clip-path="url(#clip0_1_2)" filter="url(#filter0_d_1_2)">
<mask id="mask0_1_2" style="mask-type:luminance" maskUnits="userSpaceOnUse" x="0" y="0" width="40" height="40">
<path fill-rule="evenodd" clip-rule="evenodd" d="M0 0H40V40H0V0Z" fill="white"/>
</mask>
<g mask="url(#mask0_1_2)"><rect width="40" height="40" rx="8" fill="url(#paint0_angular_1_2)" style=""/></g>
<rect x="44" width="20" height="20" fill="url(#pattern0)" style="mix-blend-mode:multiply;fill:color(display-p3 1 0.4 0);fill-opacity:1"/>
</g>
<defs>
<pattern id="pattern0" patternContentUnits="objectBoundingBox" width="1" height="1"><use xlink:href="#image0_1_2" transform="scale(0.01)"/></pattern>
<filter id="filter0_d_1_2" x="0" y="0" width="120" height="40" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB">
<feFlood flood-opacity="0" result="BackgroundImageFix"/>
<feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="hardAlpha"/>
<feOffset dy="4"/><feGaussianBlur stdDeviation="2"/><feComposite in2="hardAlpha" operator="out"/>
<feBlend mode="normal" in="SourceGraphic" in2="BackgroundImageFix" result="shape"/>
</filter>
<radialGradient id="paint0_angular_1_2" cx="0" cy="0" r="1" gradientUnits="userSpaceOnUse" gradientTransform="translate(20 20) rotate(90) scale(20)"><stop stop-color="#FF6600"/><stop offset="1" stop-color="#FF6600" stop-opacity="0"/></radialGradient>
<clipPath id="clip0_1_2"><rect width="120" height="40" fill="white"/></clipPath>
<image id="image0_1_2" width="100" height="100" preserveAspectRatio="none" xlink:href="data:image/jpeg;base64,/9j/4AAQSkZJRg=="/>
</defs>
</svg>
`,
  },
  {
    tool: 'Sketch',
    text: `<?xml version="1.0" encoding="UTF-8"?>
<svg width="24px" height="24px" viewBox="0 0 24 24" version="1.1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:sketch="http://www.bohemiancoding.com/sketch/ns">
    <!-- Generator: Sketch 3.4.4 (17249) - http://www.bohemiancoding.com/sketch -->
    <title>Logo</title>
    <desc>Created with Sketch.</desc>
    <g id="Page-1" stroke="none" stroke-width="1" fill="none" fill-rule="evenodd" sketch:type="MSPage">
        <ellipse id="Oval" fill="#D8D8D8" sketch:type="MSShapeGroup" cx="12" cy="12" rx="12" ry="12"></ellipse>
    </g>
</svg>
`,
  },
  {
    tool: 'Affinity Designer',
    text: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg width="100%" height="100%" viewBox="0 0 64 64" version="1.1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xml:space="preserve" xmlns:serif="http://www.serif.com/" style="fill-rule:evenodd;clip-rule:evenodd;stroke-linejoin:round;stroke-miterlimit:2;"><g id="Artboard1" serif:id="Artboard 1" transform="matrix(1,0,0,1,0,0)"><path d="M0,0L64,64" style="fill:rgb(255,102,0);"/></g></svg>
`,
  },
]
