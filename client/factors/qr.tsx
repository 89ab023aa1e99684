import { generate, mode } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'

/**
 * The width of the light margin around the code, in modules. Scanners need it to find the edge (ISO/IEC 18004
 * §6.3.8).
 */
const QUIET = 4

/** A QR code, which can also be rendered on the server. Renders nothing if the text is too long. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = qrCode(text)
  if (!code) return null
  const size = code.size + 2 * QUIET
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={toSvgPath(code)} />
    </svg>
  )
}

/**
 * Encodes the text as bytes, without a header that declares the encoding, because some authenticator apps cannot
 * read it (ISO/IEC 18004 §7.4.2).
 */
function qrCode(text: string) {
  try {
    return generate(mode.bytes(new TextEncoder().encode(text)))
  } catch {
    return null
  }
}
