import type { ColorSettings } from '../../contract/experience/experience.ts'
import { escapeHtml } from '../../domain/escape-html.ts'
import { brandShades } from '../../domain/experience/brand.ts'
import { contactUrl } from '../../domain/experience/contact-url.ts'
import { textDirection } from '../../domain/experience/direction.ts'

/**
 * Renders the built-in emails: one column, in which only the logo has to be loaded. Styles are inline, because email
 * clients reliably support nothing else. The style element adds a dark theme for clients that support it. Attributes
 * for the direction are on the tables as well, because some clients drop the `html` element.
 */
export type MailContent = {
  language: string
  /** The name of the brand, or the host if there is none. */
  sender: string
  look: MailLook
  title: string
  /** The text that inboxes show after the subject. */
  preheader: string
  lead: string
  /** The verification code, or undefined in a notice. `line` is "Your code: 482913" in the language of the email. */
  code?: { code: string; line: string; notes: readonly string[] } | undefined
  /** The details of the change in a notice: when it was made, on which device and where. */
  facts: readonly Fact[]
  /** The main link: it undoes the change described in a notice, or opens an invitation. */
  undo?: (Link & { lead: string }) | undefined
  /** The link for somebody who did not make the change. */
  notMe?: Link | undefined
  notes: readonly string[]
  footer: readonly string[]
  /** The address in the footer that becomes a link. */
  contact: string | undefined
}

export type MailLook = {
  color: ColorSettings
  /** The addresses of pictures that email clients can show. */
  logo?: string | undefined
  darkLogo?: string | undefined
}

type Fact = { name: string; value: string; isAddress?: boolean }
type Link = { label: string; link: string }

/** Renders the text alternative, which says the same as the HTML. */
export function renderMailText({ lead, code, facts, undo, notMe, notes, footer }: MailContent): string {
  const paragraphs = [
    lead,
    ...(code ? [code.line, code.notes.join('\n')] : []),
    ...(facts.length > 0 ? [facts.map(({ name, value }) => `${name}: ${value}`).join('\n')] : []),
    ...(undo ? [`${undo.lead}\n${undo.link}`] : []),
    ...(notMe ? [`${notMe.label}:\n${notMe.link}`] : []),
    ...notes,
    ...(footer.length > 0 ? [`--\n${footer.join('\n')}`] : []),
  ]
  return paragraphs.join('\n\n')
}

export function renderMailHtml(content: MailContent): string {
  const { language, sender, look, title, preheader, lead, code, facts, undo, notMe, notes } = content
  const direction = textDirection(language)
  const { light, dark } = brandColors(look.color)
  const table = `<table role="presentation" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" border="0"`
  const align = direction === 'rtl' ? 'right' : 'left'
  return [
    '<!doctype html>',
    `<html lang="${escapeHtml(language)}" dir="${direction}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>:root{color-scheme:light dark}${darkTheme(dark)}</style></head>`,
    `<body class="body" style="margin:0;padding:0;background:#f4f4f6;color:#1b1b1f;${FONT}">`,
    `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)}${PADDING}</div>`,
    `${table} lang="${escapeHtml(language)}"><tr><td align="center" style="padding:32px 16px">`,
    `${table} style="max-width:480px;border-collapse:separate">`,
    `<tr><td class="fill" style="height:4px;line-height:4px;font-size:0;background:${light.fill};border-radius:12px 12px 0 0">&nbsp;</td></tr>`,
    `<tr><td class="card" align="${align}" style="padding:28px 32px 32px;${LONG_WORDS};background:#ffffff;border:1px solid #e2e2e8;border-top:0;border-radius:0 0 12px 12px">`,
    renderSender(sender, look, { light, direction }),
    `<h1 style="margin:24px 0 12px;font-size:22px;line-height:28px;font-weight:600">${escapeHtml(title)}</h1>`,
    paragraph(lead),
    ...(code ? codeParagraphs(code) : []),
    ...(facts.length > 0 ? [factTable(facts, align)] : []),
    ...(undo
      ? [paragraph(undo.lead), button(undo, `background:${light.fill};color:${light.text}`, 'fill')]
      : []),
    ...(notMe ? [button(notMe, 'border:1px solid #b3261e;color:#b3261e', 'alarm')] : []),
    ...notes.map((note) => quiet(note, '0 0 8px')),
    '</td></tr>',
    `<tr><td align="${align}" style="padding:16px 32px 0;${LONG_WORDS}">`,
    ...footerLines(content),
    '</td></tr></table></td></tr></table></body></html>',
  ].join('\n')
}

/** The logo with the brand name as its alternative text, or a monogram and the name. */
function renderSender(
  sender: string,
  { logo, darkLogo }: MailLook,
  { light, direction }: { light: BrandColors; direction: 'ltr' | 'rtl' },
): string {
  const name = escapeHtml(sender)
  if (logo !== undefined) {
    const picture = (address: string, kind: string, display: string) =>
      `<img class="${kind}" src="${escapeHtml(address)}" alt="${name}" height="28" style="${display};height:28px;max-width:240px;border:0;font-size:16px;line-height:28px;font-weight:600">`
    const dark = darkLogo === undefined ? '' : picture(darkLogo, 'on-dark', 'display:none')
    return picture(logo, dark && 'on-light', 'display:block') + dark
  }
  const initial = [...new Intl.Segmenter().segment(sender)][0]?.segment.toUpperCase() ?? ''
  return [
    `<table role="presentation" dir="${direction}" cellpadding="0" cellspacing="0" border="0"><tr>`,
    `<td valign="top"><div class="fill" aria-hidden="true" style="width:28px;height:28px;border-radius:8px;background:${light.fill};color:${light.text};font-size:15px;line-height:28px;font-weight:600;text-align:center">${escapeHtml(initial)}</div></td>`,
    `<td style="padding:0 10px;font-size:16px;line-height:28px;font-weight:600"><bdi>${name}</bdi></td></tr></table>`,
  ].join('')
}

/** The digits are one word, so that a double click selects and copies them all. Only a margin separates them. */
function codeParagraphs({ code, line, notes }: NonNullable<MailContent['code']>): string[] {
  const label = line.slice(0, line.indexOf(code)).replace(/\s*[:\uff1a]?\s*$/, '')
  const [, first = '', second = ''] = /^(\d{3})(\d{3})$/.exec(code) ?? [undefined, code]
  const digits = escapeHtml(first) + (second && `<span style="margin-left:16px">${escapeHtml(second)}</span>`)
  return [
    quiet(label, '24px 0 4px'),
    `<p class="code" dir="ltr" style="margin:0 0 16px;padding:16px 8px;background:#f4f4f6;border-radius:10px;${CODE}">${digits}</p>`,
    ...notes.map((note) => quiet(note, '0 0 4px')),
    '<p style="margin:0;line-height:12px">&nbsp;</p>',
  ]
}

const factTable = (facts: readonly Fact[], align: string) =>
  [
    '<table class="facts" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;border-top:1px solid #e2e2e8">',
    ...facts.map(
      ({ name, value, isAddress }) =>
        `<tr><th class="line quiet" scope="row" align="${align}" valign="top" style="width:30%;padding:10px 0;border-bottom:1px solid #e2e2e8;font-size:14px;line-height:20px;font-weight:400;color:#5b5b66">${escapeHtml(name)}</th>` +
        `<td class="line" align="${align}" valign="top" style="padding:10px 8px;border-bottom:1px solid #e2e2e8;font-size:14px;line-height:20px;font-weight:500">${isAddress ? `<bdi dir="ltr">${escapeHtml(value)}</bdi>` : escapeHtml(value)}</td></tr>`,
    ),
    '</table>',
  ].join('')

const button = ({ label, link }: Link, colors: string, kind: string) =>
  `<p style="margin:0 0 20px"><a class="${kind}" href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:10px;font-size:16px;line-height:24px;font-weight:600;text-decoration:none;${colors}">${escapeHtml(label)}</a></p>`

function footerLines({ footer, contact }: MailContent): string[] {
  const link =
    contact === undefined
      ? ''
      : `<a class="quiet" href="${escapeHtml(contactUrl(contact))}" style="color:#5b5b66"><bdi>${escapeHtml(contact)}</bdi></a>`
  return footer.map((line) => {
    const html = contact === undefined ? escapeHtml(line) : line.split(contact).map(escapeHtml).join(link)
    return `<p class="quiet" style="margin:0 0 4px;font-size:12px;line-height:18px;color:#5b5b66">${html}</p>`
  })
}

type BrandColors = { fill: string; text: string }

/** The background and the text of filled parts, with the contrast of the main button of the pages. */
function brandColors(color: ColorSettings): { light: BrandColors; dark: BrandColors } {
  const { light, dark } = brandShades({ ...color, isDarkModeEnabled: true })
  const colorsOf = (shades: Record<string, string> | null) => ({
    fill: shades?.['--color-brand-fill'] ?? color.primaryColor,
    text: shades?.['--color-brand-text'] ?? '#FFFFFF',
  })
  return { light: colorsOf(light), dark: colorsOf(dark) }
}

/** Invisible characters after the preheader, so that inboxes do not continue it with the content. */
const PADDING = '&#8199;&#847; '.repeat(40)
/** Breaks host names and addresses that are wider than a phone. */
const LONG_WORDS = 'overflow-wrap:anywhere;word-break:break-word'
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const CODE =
  "font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:32px;line-height:40px;font-weight:600;letter-spacing:4px;text-align:center;-webkit-user-select:all;user-select:all"
const darkTheme = ({ fill, text }: BrandColors) =>
  '@media (prefers-color-scheme:dark){.body{background:#111214!important;color:#f0f0f3!important}' +
  '.card{background:#1c1d21!important;border-color:#33343b!important}.facts,.line{border-color:#33343b!important}' +
  `.code{background:#111214!important}.quiet{color:#a9a9b4!important}.fill{background:${fill}!important;color:${text}!important}` +
  '.alarm{border-color:#ff8f85!important;color:#ff8f85!important}' +
  '.on-light{display:none!important}.on-dark{display:block!important}}'

const quiet = (text: string, margin: string) =>
  `<p class="quiet" style="margin:${margin};font-size:14px;line-height:20px;color:#5b5b66">${escapeHtml(text)}</p>`
const paragraph = (text: string) =>
  `<p style="margin:0 0 16px;font-size:16px;line-height:24px">${escapeHtml(text)}</p>`
