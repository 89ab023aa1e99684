import { z } from 'zod'
import {
  type MessageConnectorType,
  type MessageType,
  type NoticeType,
  noticeTypes,
} from '../../contract/connectors/connectors.ts'
import {
  loadMessagePhrases,
  type MessagePhrases,
  messageLanguages,
} from '../../contract/connectors/message-catalogue.ts'
import { escapeHtml } from '../../domain/escape-html.ts'
import { chooseLanguage } from '../../domain/experience/language.ts'
import { toStandardTag } from '../../domain/experience/standard-tag.ts'
import { MessageTemplate } from '../fields.ts'
import { renderMailLayout } from './mail-layout.ts'
import type { Message } from './message.ts'

/** Renders the phrases of a message from the operator's template, or from the built-in phrases if there is none. */
export async function renderMessage(
  type: MessageConnectorType,
  config: unknown,
  message: Message,
): Promise<Message> {
  const language = chooseLanguage({
    requested: [message.language],
    available: messageLanguages,
    fallback: 'en',
  })
  const texts = await loadMessagePhrases(language)
  const template = chooseTemplate(readTemplates(config), message)
  switch (type) {
    case 'Email':
      return { ...message, ...renderEmail(message, texts, { language, template }) }
    case 'Sms':
      return { ...message, text: renderSms(message, texts, template) }
  }
}

function renderSms(message: Message, texts: MessagePhrases, template: MessageTemplate | undefined): string {
  const { type, code } = message
  if (template) {
    const content = fillPlaceholders(template.content, operatorValues(message))
    return isNotice(type) ? content : withOrigin(content, message)
  }
  if (isNotice(type)) return withBrand(noticeSms(message, texts.notices[type], texts.undo), message, texts)
  return withOrigin(withBrand(fillPlaceholders(texts.sms[type], { code }), message, texts), message)
}

function noticeSms(message: Message, { lead, sms }: NoticeTexts, { lead: undoLead }: UndoTexts): string {
  const { link } = message
  const values = noticeValues(message)
  return link ? [fillPlaceholders(lead, values), undoLead, link].join('\n') : fillPlaceholders(sms, values)
}

/** Prepends the brand name to the text, because no language has to inflect it there (ADR-0033). */
const withBrand = (text: string, { brand }: Message, { branded }: MessagePhrases) =>
  brand ? fillPlaceholders(branded.sms, { brand, text }) : text

/** Returns the values of the placeholders that operators can use in templates. */
const operatorValues = (message: Message) => {
  const { code, brand = '', link = '' } = message
  return { code, brand, link, date: dateOf(message) }
}

const noticeValues = (message: Message) => ({ host: message.host, date: dateOf(message) })

/** Formats a date in UTC, because the reader's time zone is unknown. */
const dateOf = ({ aboutAt, language }: Message): string =>
  aboutAt === undefined
    ? ''
    : new Intl.DateTimeFormat(toStandardTag(language), { dateStyle: 'long', timeZone: 'UTC' }).format(aboutAt)

/**
 * Returns the templates in a configuration. Templates that are stored with the provider have a different shape and are
 * ignored. An invalid configuration is treated as if it had no templates, because the connector will reject it.
 */
function readTemplates(config: unknown): MessageTemplate[] {
  const parsed = z.object({ templates: z.array(MessageTemplate) }).safeParse(config)
  return parsed.success ? parsed.data.templates : []
}

/** Finds the template for a message. A template in the user's language takes precedence over one for all languages. */
function chooseTemplate(
  templates: readonly MessageTemplate[],
  { type, language }: { type: MessageType | NoticeType; language: string },
): MessageTemplate | undefined {
  const candidates = templates.filter(({ usageType }) => usageType === type)
  const available = candidates.flatMap((candidate) => candidate.language || [])
  const chosenLanguage = chooseLanguage({ requested: [language], available, fallback: '' })
  return candidates.find((candidate) => (candidate.language ?? '') === chosenLanguage)
}

const isNotice = (type: MessageType | NoticeType): type is NoticeType =>
  (noticeTypes as readonly string[]).includes(type)

type NoticeTexts = MessagePhrases['notices'][NoticeType]
type UndoTexts = MessagePhrases['undo']

function renderNotice(
  message: Message,
  { subject, lead: text, advice }: NoticeTexts,
  { language, undo }: { language: string; undo: UndoTexts },
): Pick<Message, 'subject' | 'text' | 'html'> {
  const { brand, link } = message
  const lead = fillPlaceholders(text, noticeValues(message))
  const action = link === undefined ? undefined : { lead: undo.lead, label: undo.action, link }
  return {
    subject,
    text: [lead, ...(action ? [action.lead, action.link] : [advice])].join('\n\n'),
    html: renderMailLayout({ language, brand, title: subject, lead, action, ignore: advice }),
  }
}

function renderEmail(
  message: Message,
  texts: MessagePhrases,
  { language, template }: { language: string; template: MessageTemplate | undefined },
): Pick<Message, 'subject' | 'text' | 'html'> {
  const { type, code, host, brand } = message
  const values = operatorValues(message)
  const subject = fillPlaceholders(template?.subject ?? builtInSubject(message, texts), values)
  if (template) {
    const isPlain = (template.contentType ?? template.type) === 'text/plain'
    const content = fillPlaceholders(template.content, isPlain ? values : escapedValues(values))
    return { subject, ...(isPlain ? { text: content } : { html: content }) }
  }
  if (isNotice(type)) return renderNotice(message, texts.notices[type], { language, undo: texts.undo })
  const lead = fillPlaceholders(texts.lead[type], { host })
  const { validity, ignore } = texts
  return {
    subject,
    text: [lead, fillPlaceholders(texts.code, { code }), validity, ignore].join('\n\n'),
    html: renderMailLayout({
      language,
      brand,
      // The code is a separate paragraph.
      title: texts.subject[type],
      lead,
      code: { code, line: texts.code, validity },
      ignore,
    }),
  }
}

/** Returns a subject that shows the code and the sender in the inbox (spec/experience#brand-name). */
function builtInSubject({ type, brand }: Message, texts: MessagePhrases): string {
  if (isNotice(type)) return texts.notices[type].subject
  return brand && type !== 'Test' ? texts.branded.subject : texts.subject[type]
}

const escapedValues = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeHtml(value)]))

/** Replaces placeholders with their values. Unknown placeholders are kept, so that operators notice them. */
function fillPlaceholders(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}

/**
 * Appends a line that binds the code to an origin, so that phones suggest it only there (spec/accounts#code-message;
 * https://wicg.github.io/sms-one-time-codes/). The host in this line has no port.
 */
function withOrigin(text: string, { host, code }: Message): string {
  const line = `@${host.replace(/:\d+$/, '')} #${code}`
  return text.trimEnd().endsWith(line) ? text : `${text.trimEnd()}\n\n${line}`
}
