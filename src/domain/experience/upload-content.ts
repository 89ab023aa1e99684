import type { UploadMimeType } from '../../contract/experience/user-assets.ts'
import { scanSvg } from './svg.ts'

/**
 * The type of an upload, which is detected from its content, because the client chooses the file name and the declared
 * type (ADR-0015).
 */
export type ContentType = Exclude<UploadMimeType, 'image/x-icon'>

/** Detects the type of a file. Returns null for content that may not be uploaded (spec/connectors#upload-content). */
export function detectContentType(content: Uint8Array): ContentType | null {
  const raster = detectRasterType(content)
  if (raster) return raster
  const text = decodeUtf8(content)
  const drawing = text === null ? null : scanSvg(text)
  return drawing?.forbidden === null ? 'image/svg+xml' : null
}

/** Detects a raster image by its signature, for uploads that may not be SVG drawings. */
export function detectRasterType(content: Uint8Array): Exclude<ContentType, 'image/svg+xml'> | null {
  return signatures.find(({ matches }) => matches(content))?.type ?? null
}

/** Returns the forbidden part of a drawing, so that its author can remove it. */
export function findForbiddenPart(content: Uint8Array): string | null {
  const text = decodeUtf8(content)
  return (text === null ? null : scanSvg(text))?.forbidden ?? null
}

type Signature = { type: Exclude<ContentType, 'image/svg+xml'>; matches(content: Uint8Array): boolean }

/**
 * The signatures of https://mimesniff.spec.whatwg.org/#image-type-pattern-matching-algorithm, with stricter checks
 * where they are too weak.
 */
const signatures: readonly Signature[] = [
  { type: 'image/png', matches: beginsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', matches: beginsWith('\xff\xd8\xff') },
  { type: 'image/gif', matches: either(beginsWith('GIF87a'), beginsWith('GIF89a')) },
  { type: 'image/webp', matches: (content) => startsAt(content, 'RIFF') && startsAt(content, 'WEBP', 8) },
  { type: 'image/tiff', matches: either(beginsWith('II*\0'), beginsWith('MM\0*')) },
  // Matches an icon with at least one picture, but not a cursor.
  {
    type: 'image/vnd.microsoft.icon',
    matches: (content) => startsAt(content, '\0\0\x01\0') && content[4] !== 0,
  },
  // Matches a bitmap. Many strings begin with the same two letters, so the reserved bytes and the size of the header
  // are checked as well.
  {
    type: 'image/bmp',
    matches: (content) => startsAt(content, 'BM') && startsAt(content, '\0\0\0\0', 6) && isDib(content),
  },
]

/** The header sizes from BITMAPCOREHEADER to BITMAPV5HEADER. */
const isDib = (content: Uint8Array) =>
  [12, 40, 52, 56, 64, 108, 124].includes(content[14] ?? 0) && startsAt(content, '\0\0\0', 15)

function beginsWith(signature: string) {
  return (content: Uint8Array) => startsAt(content, signature)
}

function either(...matches: Signature['matches'][]): Signature['matches'] {
  return (content) => matches.some((match) => match(content))
}

const startsAt = (content: Uint8Array, signature: string, offset = 0) =>
  [...signature].every((char, index) => content[offset + index] === char.charCodeAt(0))

/**
 * Decodes UTF-8. Returns null for other encodings, in which a browser would decode a different text from the one that
 * is checked here.
 */
function decodeUtf8(content: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return null
  }
}
