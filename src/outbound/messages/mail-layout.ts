import { escapeHtml } from '../../domain/escape-html.ts'

/**
 * Renders the built-in emails: one column without images or other external content. Styles are inline, because email
 * clients reliably support nothing else. The style element adds a dark theme for clients that support it. Screen
 * readers read a heading and four sentences.
 */
type MailContent = {
  language: string
  /** The brand name, shown above the title. */
  brand: string | undefined
  title: string
  lead: string
  /** The verification code, or undefined in a notice. `line` is "Your code: 482913" in the language of the email. */
  code?: { code: string; line: string; validity: string }
  /** The link that undoes the change described in a notice. If set, `ignore` is not shown. */
  action?: { lead: string; label: string; link: string } | undefined
  ignore: string
}

export function renderMailLayout({
  language,
  brand,
  title,
  lead,
  code,
  action,
  ignore,
}: MailContent): string {
  return [
    '<!doctype html>',
    `<html lang="${escapeHtml(language)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>:root{color-scheme:light dark}${DARK}</style></head>`,
    `<body class="body" style="margin:0;padding:0;background:#f4f4f6;color:#1b1b1f;${FONT}">`,
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>',
    '<td align="center" style="padding:32px 16px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px"><tr>',
    '<td class="card" style="padding:32px;background:#ffffff;border:1px solid #e2e2e8;border-radius:12px">',
    ...(brand
      ? [
          `<p class="quiet" style="margin:0 0 8px;font-size:14px;line-height:20px;color:#5b5b66">${escapeHtml(brand)}</p>`,
        ]
      : []),
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600">${escapeHtml(title)}</h1>`,
    paragraph(lead),
    ...(code ? codeParagraphs(code) : []),
    ...(action ? actionParagraphs(action) : [quiet(ignore)]),
    '</td></tr></table></td></tr></table></body></html>',
  ].join('\n')
}

function codeParagraphs({ code, line, validity }: NonNullable<MailContent['code']>): string[] {
  const label = line.slice(0, line.indexOf(code)).replace(/\s*[:\uff1a]?\s*$/, '')
  return [
    `<p class="quiet" style="margin:24px 0 4px;font-size:14px;line-height:20px;color:#5b5b66">${escapeHtml(label)}</p>`,
    `<p class="code" style="margin:0 0 24px;padding:16px;background:#f4f4f6;border-radius:8px;${CODE}">${escapeHtml(code)}</p>`,
    paragraph(validity),
  ]
}

function actionParagraphs({ lead, label, link }: NonNullable<MailContent['action']>): string[] {
  return [
    paragraph(lead),
    `<p style="margin:0"><a class="action" href="${escapeHtml(link)}" style="${ACTION}">${escapeHtml(label)}</a></p>`,
  ]
}

const ACTION =
  'display:inline-block;padding:12px 20px;border:1px solid #1b1b1f;border-radius:8px;font-size:16px;line-height:24px;font-weight:600;color:#1b1b1f;text-decoration:none'
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const CODE =
  "font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:32px;line-height:40px;font-weight:600;letter-spacing:6px;text-align:center"
const DARK =
  '@media (prefers-color-scheme:dark){.body{background:#111214!important;color:#f0f0f3!important}' +
  '.card{background:#1c1d21!important;border-color:#33343b!important}' +
  '.action{border-color:#f0f0f3!important;color:#f0f0f3!important}.code{background:#111214!important}.quiet{color:#a9a9b4!important}}'

const quiet = (text: string) =>
  `<p class="quiet" style="margin:0;font-size:14px;line-height:20px;color:#5b5b66">${escapeHtml(text)}</p>`
const paragraph = (text: string) =>
  `<p style="margin:0 0 16px;font-size:16px;line-height:24px">${escapeHtml(text)}</p>`
