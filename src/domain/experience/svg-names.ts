/** The names that may occur in uploaded SVG documents (spec/connectors#upload-content). */

export const atRules = new Set(['@media', '@font-face'])

const wordSet = (names: string) => new Set(names.trim().split(/\s+/))

export const functions = wordSet(`
  url format local rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix var calc min max clamp
  matrix matrix3d translate translatex translatey translate3d scale scalex scaley scale3d rotate rotatex rotatey rotatez
  rotate3d skew skewx skewy perspective rect inset circle ellipse polygon path
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  cubic-bezier steps linear-gradient radial-gradient not is where nth-child nth-of-type and or device-cmyk icc-color`)

/** The elements of SVG 2, except those that run scripts or that load, animate or embed anything. */
export const elements = wordSet(`
  svg g defs symbol use switch view a title desc metadata style
  path rect circle ellipse line polyline polygon image text tspan tref textPath
  linearGradient radialGradient meshgradient meshrow meshpatch stop solidColor pattern hatch hatchpath
  clipPath mask marker filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
  feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
  fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  font font-face font-face-src font-face-name glyph missing-glyph hkern vkern color-profile`)

export const xlinkAttributes = wordSet('type role arcrole title show actuate')

export const attributes = wordSet(`
  id class style lang role tabindex version baseProfile xmlns width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points
  pathLength viewBox preserveAspectRatio transform transform-origin transform-box zoomAndPan contentStyleType
  contentScriptType enable-background requiredFeatures requiredExtensions systemLanguage externalResourcesRequired
  overflow clip clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits mask-type
  color color-interpolation color-interpolation-filters color-profile color-rendering cursor direction display
  fill fill-opacity fill-rule filter filterUnits primitiveUnits filterRes flood-color flood-opacity lighting-color
  font font-family font-size font-size-adjust font-stretch font-style font-variant font-weight font-kerning
  font-feature-settings font-variation-settings font-variant-ligatures font-variant-caps font-variant-numeric
  font-variant-east-asian font-variant-position font-variant-alternates line-height inline-size shape-inside
  shape-subtract shape-padding shape-margin shape-image-threshold
  glyph-orientation-horizontal glyph-orientation-vertical image-rendering isolation kerning letter-spacing
  marker marker-start marker-mid marker-end markerUnits markerWidth markerHeight refX refY orient mix-blend-mode
  offset opacity paint-order pointer-events shape-rendering solid-color solid-opacity stop-color stop-opacity
  stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
  text-align text-anchor text-decoration text-decoration-line text-decoration-style text-decoration-color text-indent
  text-orientation text-overflow text-rendering text-transform unicode-bidi vector-effect visibility white-space
  will-change word-spacing writing-mode alignment-baseline baseline-shift dominant-baseline
  gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform hatchUnits
  hatchContentUnits hatchTransform pitch
  dx dy rotate textLength lengthAdjust method spacing startOffset side
  in in2 result mode type values tableValues slope intercept amplitude exponent operator k1 k2 k3 k4 order kernelMatrix
  divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha surfaceScale diffuseConstant specularConstant
  specularExponent limitingConeAngle azimuth elevation pointsAtX pointsAtY pointsAtZ z scale xChannelSelector
  yChannelSelector stdDeviation radius baseFrequency numOctaves seed stitchTiles crossorigin decoding
  media title target rel download space
  horiz-adv-x horiz-origin-x horiz-origin-y vert-adv-y vert-origin-x vert-origin-y units-per-em panose-1 ascent descent
  cap-height x-height bbox stemv stemh unicode unicode-range glyph-name orientation arabic-form underline-position
  underline-thickness strikethrough-position strikethrough-thickness overline-position overline-thickness accent-height
  alphabetic hanging ideographic mathematical v-alphabetic v-hanging v-ideographic v-mathematical widths name local
  rendering-intent u1 u2 g1 g2 k`)
