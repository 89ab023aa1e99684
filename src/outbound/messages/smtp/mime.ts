import { textToBase64 } from '../../base64.ts'

/**
 * The contents of an email. It is encoded as ASCII, with body lines of at most 76 characters (RFC 5322, RFC 2045
 * to 2047).
 */
type MailMessage = {
  from: { email: string; name?: string | undefined }
  to: string
  replyTo?: string | undefined
  subject: string
  text?: string | undefined
  html?: string | undefined
  date: Date
  messageId: string
}

export function composeMail({
  from,
  to,
  replyTo,
  subject,
  text,
  html,
  date,
  messageId,
}: MailMessage): string {
  const parts = [
    ...(text === undefined ? [] : [bodyPart('text/plain', text)]),
    ...(html === undefined ? [] : [bodyPart('text/html', html)]),
  ]
  const headers = [
    `From: ${from.name ? `${displayName(from.name)} <${from.email}>` : from.email}`,
    `To: ${to}`,
    ...(replyTo ? [`Reply-To: ${oneLine(replyTo)}`] : []),
    `Subject: ${headerText(subject)}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${messageId}>`,
    // This header prevents automatic replies, such as out-of-office messages (RFC 3834).
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
  ]
  const [first = '', ...others] = parts
  if (others.length === 0) return `${headers.join(CRLF)}${CRLF}${first}`
  // The boundary cannot occur in the Base64 content, because it contains `_`.
  const boundary = `=_${messageId.replaceAll(/\W/g, '')}`
  return [
    ...headers,
    `Content-Type: multipart/alternative;${CRLF} boundary="${boundary}"`,
    '',
    ...parts.flatMap((body) => [`--${boundary}`, body]),
    `--${boundary}--`,
  ].join(CRLF)
}

const CRLF = '\r\n'

/**
 * Encodes a body as Base64. In many of our languages, most characters are not ASCII, so quoted-printable would be
 * longer.
 */
function bodyPart(type: string, content: string): string {
  const lines = textToBase64(content.replaceAll(/\r?\n/g, CRLF)).match(/.{1,76}/g) ?? []
  return [`Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: base64', '', ...lines].join(
    CRLF,
  )
}

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text) && !text.includes('=?')
const oneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ')

/** Encodes a header value unless it is ASCII text that fits into a line of 998 characters (RFC 5322 §2.1.1). */
function headerText(text: string): string {
  const line = oneLine(text)
  return isPlain(line) && line.length < 900 ? line : encodedWords(line)
}

/**
 * Formats a display name (RFC 5322 §3.4). Encoded words must not be quoted, because email clients do not decode them
 * inside quotes.
 */
function displayName(text: string): string {
  const line = oneLine(text)
  return isPlain(line) ? `"${line.replaceAll(/["\\]/g, '\\$&')}"` : encodedWords(line)
}

/**
 * The maximum number of bytes in one encoded word. Base64 turns 36 bytes into 48 characters, and a line with an encoded
 * word may have 76 characters, including the header's name (RFC 2047 §2). No character is split between encoded words.
 */
const WORD_BYTES = 36

function encodedWords(text: string): string {
  const words: string[] = ['']
  for (const character of text) {
    const longer = words.at(-1) + character
    if (new TextEncoder().encode(longer).length > WORD_BYTES) words.push(character)
    else words[words.length - 1] = longer
  }
  return words.map((word) => `=?UTF-8?B?${textToBase64(word)}?=`).join(`${CRLF} `)
}
