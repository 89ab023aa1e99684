import { STRICT_TRANSPORT_HEADER } from '../answer-headers.ts'

/**
 * A page that is the same for all users. It is rendered and encoded once (ADR-0045), with placeholders for the values
 * that differ between users. A response consists of the encoded pieces with one user's values between them.
 */
export type PageTemplate = {
  /** The encoded pieces of HTML between the placeholders. There is one more piece than there are placeholders. */
  pieces: readonly Uint8Array[]
  placeholders: readonly Placeholder[]
  status: number
  headers: Headers
  /** The response headers, keyed by the list of form targets, which all users of an application share. */
  headersFor: WeakMap<readonly string[], Headers>
}

/**
 * The values that differ between users: the interaction id, the URL that restarts the interaction, the country, and the
 * line that names the application. All of them are ASCII.
 */
export type PageValues = { interaction: string; restart: string; country: string; application: string }
type Placeholder = keyof PageValues

/** Renders a page with unique marks instead of the values, and splits it at the marks. */
export async function createPageTemplate(
  render: (marks: PageValues, nonce: string) => Promise<Response>,
): Promise<PageTemplate> {
  const marks: PageValues = {
    interaction: newMark(),
    restart: newMark(),
    country: newMark(),
    application: newMark(),
  }
  const placeholderOf = new Map(
    Object.entries(marks).map(([placeholder, mark]) => [mark, placeholder as Placeholder]),
  )
  const nonce = newMark()
  const response = await render(marks, nonce)
  const html = (await response.text()).replaceAll(` nonce="${nonce}"`, '')
  const parts = html.split(new RegExp(`(${[...placeholderOf.keys()].join('|')})`))
  const headers = new Headers(response.headers)
  const policy = headers.get(POLICY) ?? ''
  headers.set(POLICY, policy.replace(`'nonce-${nonce}'`, (await styleHashes(html)).join(' ')))
  return {
    pieces: parts.filter((_, index) => index % 2 === 0).map((text) => encoder.encode(text)),
    placeholders: parts.flatMap((text) => placeholderOf.get(text) ?? []),
    status: response.status,
    headers,
    headersFor: new WeakMap(),
  }
}

const POLICY = 'content-security-policy'

/** The values with which a template is filled in for one request. */
type TemplateFilling = {
  values: PageValues
  formTargets: readonly string[]
} & Partial<OuterHeaders>

/** The headers that middleware would add. Responses from the cache bypass the middleware (`page-cache.ts`). */
export type OuterHeaders = { requestId: string; transport: string | null; date: string }

export function responseFromTemplate(
  template: PageTemplate,
  { values, formTargets, requestId, transport, date }: TemplateFilling,
): Response {
  const headers = template.headersFor.get(formTargets) ?? withTargets(template.headers, formTargets)
  template.headersFor.set(formTargets, headers)
  // The shared object can be modified, because `Response` copies the headers immediately. Changing the response's own
  // headers would take as long as decrypting a cookie.
  setOrDelete(headers, 'x-request-id', requestId)
  setOrDelete(headers, STRICT_TRANSPORT_HEADER, transport)
  setOrDelete(headers, 'date', date)
  return new Response(fillTemplate(template, values), { status: template.status, headers })
}

function setOrDelete(headers: Headers, name: string, value: string | null | undefined): void {
  if (value) headers.set(name, value)
  else headers.delete(name)
}

/** Appends the targets to `form-action`, the last directive of the policy (`security-headers.ts`). */
function withTargets(plain: Headers, formTargets: readonly string[]): Headers {
  const headers = new Headers(plain)
  headers.set(POLICY, [headers.get(POLICY), ...formTargets].join(' '))
  return headers
}

/**
 * Returns the CSP sources for a page's styles. They are hashes instead of a nonce, so that the policy is the same for
 * all users. The text is hashed in the form that the HTML parser sees: with normalized line breaks and without NUL
 * characters.
 */
function styleHashes(html: string): Promise<string[]> {
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css)
  return Promise.all(
    styles.map(async (css) => {
      const normalized = css.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(normalized)))
      return `'sha256-${hash.toBase64()}'`
    }),
  )
}

/** Creates a mark from characters that are valid in an interaction id and need no escaping in HTML, JSON and URLs. */
const newMark = () => crypto.randomUUID()

const encoder = new TextEncoder()

/**
 * The buffer into which pages are written one after another. A page's part of the buffer is never reused, because the
 * runtime may still be reading it when the next response is created. About ten pages share a buffer, because creating
 * one takes 10 to 20 µs.
 */
let block = new Uint8Array()
let usedBytes = 0
const BLOCK_BYTES = 256 * 1024

function allocatePage(length: number): Uint8Array<ArrayBuffer> {
  if (usedBytes + length > block.length) {
    block = new Uint8Array(Math.max(BLOCK_BYTES, length))
    usedBytes = 0
  }
  usedBytes += length
  return block.subarray(usedBytes - length, usedBytes)
}

function fillTemplate({ pieces, placeholders }: PageTemplate, values: PageValues): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const piece of pieces) length += piece.length
  for (const placeholder of placeholders) length += values[placeholder].length

  const page = allocatePage(length)
  let at = 0
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index]
    if (piece) {
      page.set(piece, at)
      at += piece.length
    }
    const placeholder = placeholders[index]
    if (placeholder) at = writeAscii(values[placeholder], page, at)
  }
  return page
}

/**
 * Writes ASCII text into the buffer and returns the end position. For such short strings this is faster than an
 * encoder.
 */
function writeAscii(text: string, page: Uint8Array, at: number): number {
  for (let index = 0; index < text.length; index++) page[at + index] = text.charCodeAt(index)
  return at + text.length
}
