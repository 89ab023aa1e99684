import { generate, mode } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'

/** Light modules around the code, so that a scanner finds its edge (ISO/IEC 18004 §6.3.8). */
const QUIET = 4

/** A QR code, drawn by the server as well. Null for a text that is too long for one. */
export function Qr({ text, label }: { text: string; label: string }) {
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

/** The bytes alone: authenticator apps exist that cannot read a header that names their encoding (ISO/IEC 18004 §7.4.2). */
function qrCode(text: string) {
  try {
    return generate(mode.bytes(new TextEncoder().encode(text)))
  } catch {
    return null
  }
}
