import type { UploadMimeType } from '../contract/user-assets.ts'
import { isHarmlessSvg } from './svg.ts'

/** A type is what the content says: the name of a file and the type it is declared with are its sender's to choose. */
export type ContentType = Exclude<UploadMimeType, 'image/x-icon'>

/** What these bytes are, or null when they are nothing that may be uploaded; a drawing that could run script is not. */
export function contentTypeOf(content: Uint8Array): ContentType | null {
  const raster = signatures.find(({ matches }) => matches(content))
  if (raster) return raster.type
  const text = decoded(content)
  return text !== null && isHarmlessSvg(text) ? 'image/svg+xml' : null
}

type Signature = { type: ContentType; matches(content: Uint8Array): boolean }

/** As https://mimesniff.spec.whatwg.org/#image-type-pattern-matching-algorithm has them; longer where that is weak. */
const signatures: readonly Signature[] = [
  { type: 'image/png', matches: beginsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', matches: beginsWith('\xff\xd8\xff') },
  { type: 'image/gif', matches: either(beginsWith('GIF87a'), beginsWith('GIF89a')) },
  { type: 'image/webp', matches: (content) => is(content, 'RIFF') && is(content, 'WEBP', 8) },
  { type: 'image/tiff', matches: either(beginsWith('II*\0'), beginsWith('MM\0*')) },
  // An icon, not a cursor, with one picture at least.
  { type: 'image/vnd.microsoft.icon', matches: (content) => is(content, '\0\0\x01\0') && content[4] !== 0 },
  // Two letters begin many texts, so the header behind them counts, too: reserved bytes, and a size that is known.
  {
    type: 'image/bmp',
    matches: (content) => is(content, 'BM') && is(content, '\0\0\0\0', 6) && isDib(content),
  },
]

/** BITMAPCOREHEADER to BITMAPV5HEADER. */
const isDib = (content: Uint8Array) =>
  [12, 40, 52, 56, 64, 108, 124].includes(content[14] ?? 0) && is(content, '\0\0\0', 15)

function beginsWith(signature: string) {
  return (content: Uint8Array) => is(content, signature)
}

function either(...matches: Signature['matches'][]): Signature['matches'] {
  return (content) => matches.some((match) => match(content))
}

const is = (content: Uint8Array, signature: string, at = 0) =>
  [...signature].every((char, index) => content[at + index] === char.charCodeAt(0))

/** Drawings are UTF-8: in another encoding they would say to a browser what they do not say to us. */
function decoded(content: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return null
  }
}
