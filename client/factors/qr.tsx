import { qrCode } from '../../src/domain/factors/qr-code.ts'

/** Light modules around the code, so that a scanner finds its edge (ISO/IEC 18004 §6.3.8). */
const QUIET = 4

/** A QR code, drawn by the server as well. Null for a text that is too long for one. */
export function Qr({ text, label }: { text: string; label: string }) {
  const code = qrCode(text)
  if (!code) return null
  const size = code.length + 2 * QUIET
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={code.flatMap(runsOf).join('')} />
    </svg>
  )
}

/** The dark modules of a row, each run as one rectangle. */
function runsOf(row: readonly boolean[], index: number): string[] {
  const drawn = row.map((dark) => (dark ? '1' : '0')).join('')
  return [...drawn.matchAll(/1+/g)].map(
    ({ 0: run, index: start }) => `M${start + QUIET} ${index + QUIET}h${run.length}v1h-${run.length}z`,
  )
}
