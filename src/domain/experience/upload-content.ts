import type { UploadMimeType } from '../../contract/experience/user-assets.ts'
import { readSvg } from './svg.ts'

/** Decided by the content, because the client chooses the name and the declared type of a file (ADR-0015). */
export type ContentType = Exclude<UploadMimeType, 'image/x-icon'>

/** Null for content that may not be uploaded (spec/connectors#upload-content). */
export function contentTypeOf(content: Uint8Array): ContentType | null {
  const raster = rasterTypeOf(content)
  if (raster) return raster
  const text = decoded(content)
  const drawing = text === null ? null : readSvg(text)
  return drawing?.forbidden === null ? 'image/svg+xml' : null
}

/** Only signatures are compared: where no drawing may be uploaded, none is read. */
export function rasterTypeOf(content: Uint8Array): Exclude<ContentType, 'image/svg+xml'> | null {
  return signatures.find(({ matches }) => matches(content))?.type ?? null
}

/** Names the part of a drawing that may not be in one, so that whoever drew it can leave it out. */
export function forbiddenPartOf(content: Uint8Array): string | null {
  const text = decoded(content)
  return (text === null ? null : readSvg(text))?.forbidden ?? null
}

type Signature = { type: Exclude<ContentType, 'image/svg+xml'>; matches(content: Uint8Array): boolean }

/** Those of https://mimesniff.spec.whatwg.org/#image-type-pattern-matching-algorithm; longer where that is weak. */
const signatures: readonly Signature[] = [
  { type: 'image/png', matches: beginsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', matches: beginsWith('\xff\xd8\xff') },
  { type: 'image/gif', matches: either(beginsWith('GIF87a'), beginsWith('GIF89a')) },
  { type: 'image/webp', matches: (content) => startsAt(content, 'RIFF') && startsAt(content, 'WEBP', 8) },
  { type: 'image/tiff', matches: either(beginsWith('II*\0'), beginsWith('MM\0*')) },
  // An icon with at least one picture, not a cursor.
  {
    type: 'image/vnd.microsoft.icon',
    matches: (content) => startsAt(content, '\0\0\x01\0') && content[4] !== 0,
  },
  // Many texts begin with these two letters, so reserved bytes and the size of the header are checked too.
  {
    type: 'image/bmp',
    matches: (content) => startsAt(content, 'BM') && startsAt(content, '\0\0\0\0', 6) && isDib(content),
  },
]

/** BITMAPCOREHEADER to BITMAPV5HEADER. */
const isDib = (content: Uint8Array) =>
  [12, 40, 52, 56, 64, 108, 124].includes(content[14] ?? 0) && startsAt(content, '\0\0\0', 15)

function beginsWith(signature: string) {
  return (content: Uint8Array) => startsAt(content, signature)
}

function either(...matches: Signature['matches'][]): Signature['matches'] {
  return (content) => matches.some((match) => match(content))
}

const startsAt = (content: Uint8Array, signature: string, at = 0) =>
  [...signature].every((char, index) => content[at + index] === char.charCodeAt(0))

/** Drawings must be UTF-8: in another encoding a browser would read another text than we do. */
function decoded(content: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return null
  }
}
