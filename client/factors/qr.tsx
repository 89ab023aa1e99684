import { toSvgPath } from 'lean-qr/extras/svg'
import { generate } from 'lean-qr/nano'

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

function qrCode(text: string) {
  try {
    return generate(text)
  } catch {
    return null
  }
}
