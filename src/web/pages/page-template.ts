import { STRICT_TRANSPORT } from '../security-headers.ts'

/**
 * A page that is alike for all users, rendered and encoded once (ADR-0045). Placeholders mark what belongs to one user; a response
 * is the pieces of the template with that user's values between them.
 */
export type PageTemplate = {
  /** One more than there are placeholders. */
  pieces: readonly Uint8Array[]
  placeholders: readonly Placeholder[]
  status: number
  headers: Headers
  /** The same with the targets of forms, by the list of them: all users of one application have the same list. */
  headersFor: WeakMap<readonly string[], Headers>
}

/** The values of one user, all of them ASCII: the interaction's id, the address where it can start again, and the country. */
export type PageValues = { interaction: string; restart: string; country: string }
type Placeholder = keyof PageValues

/** Renders a page with marks that nothing else in it can be like, and takes them out. */
export async function makePageTemplate(
  render: (marks: PageValues, nonce: string) => Promise<Response>,
): Promise<PageTemplate> {
  const marks: PageValues = { interaction: newMark(), restart: newMark(), country: newMark() }
  const placeholderOf = new Map(
    Object.entries(marks).map(([placeholder, mark]) => [mark, placeholder as Placeholder]),
  )
  const nonce = newMark()
  const answer = await render(marks, nonce)
  const html = (await answer.text()).replaceAll(` nonce="${nonce}"`, '')
  const parts = html.split(new RegExp(`(${[...placeholderOf.keys()].join('|')})`))
  const headers = new Headers(answer.headers)
  const policy = headers.get(POLICY) ?? ''
  headers.set(POLICY, policy.replace(`'nonce-${nonce}'`, (await styleHashes(html)).join(' ')))
  return {
    pieces: parts.filter((_, index) => index % 2 === 0).map((text) => encoder.encode(text)),
    placeholders: parts.flatMap((text) => placeholderOf.get(text) ?? []),
    status: answer.status,
    headers,
    headersFor: new WeakMap(),
  }
}

const POLICY = 'content-security-policy'

/** What is put into a template for one request. */
type TemplateFilling = {
  values: PageValues
  formTargets: readonly string[]
} & Partial<OuterHeaders>

/** Headers that middleware adds to a page, where it passes none (`page-cache.ts`). */
export type OuterHeaders = { requestId: string; transport: string | null }

export function answerFromTemplate(
  template: PageTemplate,
  { values, formTargets, requestId, transport }: TemplateFilling,
): Response {
  const headers = template.headersFor.get(formTargets) ?? withTargets(template.headers, formTargets)
  template.headersFor.set(formTargets, headers)
  // The response copies the headers at once. To change its own would take as long as to open a cookie.
  setOrDelete(headers, 'x-request-id', requestId)
  setOrDelete(headers, STRICT_TRANSPORT, transport)
  return new Response(fillTemplate(template, values), { status: template.status, headers })
}

function setOrDelete(headers: Headers, name: string, value: string | null | undefined): void {
  if (value) headers.set(name, value)
  else headers.delete(name)
}

/** `form-action` is the last directive of the policy (`security-headers.ts`). */
function withTargets(plain: Headers, formTargets: readonly string[]): Headers {
  const headers = new Headers(plain)
  headers.set(POLICY, [headers.get(POLICY), ...formTargets].join(' '))
  return headers
}

/**
 * The styles of a page as CSP sources: they are known, so their hashes serve as well as a nonce, and the policy is alike for all
 * users. Hashed as the HTML parser sees the text, which has one kind of line break and no NUL.
 */
function styleHashes(html: string): Promise<string[]> {
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css)
  return Promise.all(
    styles.map(async (css) => {
      const parsed = css.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(parsed)))
      return `'sha256-${hash.toBase64()}'`
    }),
  )
}

/** Of characters that need no escape in HTML, in JSON, in addresses and in an interaction's id. */
const newMark = () => crypto.randomUUID()

const encoder = new TextEncoder()

/**
 * Memory that pages are written into one after the other. Each has a part of its own, which is never written again, because the
 * runtime may still read it while the next response is made. An array buffer costs 10 to 20 µs, which ten pages share.
 */
let block = new Uint8Array()
let isUsedTo = 0
const BLOCK_BYTES = 256 * 1024

function ownMemory(length: number): Uint8Array<ArrayBuffer> {
  if (isUsedTo + length > block.length) {
    block = new Uint8Array(Math.max(BLOCK_BYTES, length))
    isUsedTo = 0
  }
  isUsedTo += length
  return block.subarray(isUsedTo - length, isUsedTo)
}

function fillTemplate({ pieces, placeholders }: PageTemplate, values: PageValues): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const piece of pieces) length += piece.length
  for (const placeholder of placeholders) length += values[placeholder].length

  const page = ownMemory(length)
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

/** Faster than an encoder for texts as short as these. Answers where the text ends. */
function writeAscii(text: string, page: Uint8Array, at: number): number {
  for (let index = 0; index < text.length; index++) page[at + index] = text.charCodeAt(index)
  return at + text.length
}
