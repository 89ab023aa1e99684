/** The time-based one-time codes of authenticator apps (RFC 6238, spec/accounts#totp). All functions are pure. */

/** The parameters that every authenticator app supports: SHA-1, six digits and thirty seconds. */
const TOTP_DIGITS = 6
const STEP_SECONDS = 30
/**
 * The number of time steps before and after the current one that are accepted. It allows for inaccurate clocks and the
 * time it takes to type (RFC 6238 §5.2).
 */
const TOLERANCE_STEPS = 1

/** RFC 4226 §4 recommends 160 bits. */
export const TOTP_SECRET_BYTES = 20

export const totpStep = (now: number): number => Math.floor(now / (STEP_SECONDS * 1000))

/** Returns the time steps whose codes are accepted now. The current step comes first, because it is the most likely. */
export function acceptedSteps(now: number): number[] {
  const current = totpStep(now)
  const others = Array.from({ length: TOLERANCE_STEPS }, (_, index) => [
    current - index - 1,
    current + index + 1,
  ])
  return [current, ...others.flat()].filter((step) => step >= 0)
}

/** Encodes the moving factor of RFC 4226 §5.1 in eight bytes, most significant first. */
export function encodeMovingFactor(step: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(step))
  return bytes
}

/** Truncates the HMAC dynamically (RFC 4226 §5.3). */
export function truncateHmac(hmac: Uint8Array, digits: number = TOTP_DIGITS): string {
  const view = new DataView(hmac.buffer, hmac.byteOffset, hmac.byteLength)
  const offset = view.getUint8(hmac.byteLength - 1) & 0x0f
  const number = view.getUint32(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Removes the spaces that authenticator apps show within a code. Returns null if the text is not a code. */
export function parseTotpCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : null
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567' // RFC 4648 §6
const BITS_PER_LETTER = 5

/** Encodes bytes in Base32 without padding. A secret of 20 bytes needs none. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(BITS_PER_LETTER, '0'), 2)]).join('')
}

/**
 * Decodes Base32 as users enter it: in upper or lower case, with or without spaces and padding. Returns null for any
 * other text.
 */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> | null {
  const letters = text.toUpperCase().replaceAll(/[\s=]/g, '')
  if (!/^[A-Z2-7]+$/.test(letters)) return null
  const bits = Array.from(letters, (letter) =>
    BASE32.indexOf(letter).toString(2).padStart(BITS_PER_LETTER, '0'),
  ).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
}

/**
 * Returns the URI in the QR code. Some apps read the issuer from the label and others from the parameter, so both
 * contain it.
 */
export function totpUri({
  secret,
  issuer,
  account,
}: {
  secret: string
  issuer: string
  account: string
}): string {
  // Removes colons from a part of the label, because a colon separates its parts.
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(':', ' '))).join(':')
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}
