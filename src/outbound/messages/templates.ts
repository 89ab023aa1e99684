import { createInstance } from 'i18next'
import { z } from 'zod'
import type { MessageConnectorType } from '../../contract/connectors/connectors.ts'
import { loadMessagePhrases, messageLanguages } from '../../contract/connectors/message-catalogue.ts'
import { isMailOnly } from '../../contract/connectors/message-types.ts'
import type { Phrases } from '../../contract/interactions/boot.ts'
import { toPlainName } from '../../domain/connectors/plain-name.ts'
import { isNotice } from '../../domain/connectors/template-variables.ts'
import { escapeHtml } from '../../domain/escape-html.ts'
import { chooseLanguage } from '../../domain/experience/language.ts'
import { type Translate, translatorFor } from '../../domain/experience/translator.ts'
import { MessageTemplate } from '../fields.ts'
import { codeMail, dateOf, invitationMail, invitationTexts, noticeMail, noticeSms } from './mail-content.ts'
import { type MailContent, renderMailHtml, renderMailText } from './mail-layout.ts'
import type { Message } from './message.ts'

/** Renders the phrases of a message from the operator's template, or from the built-in phrases if there is none. */
export async function renderMessage(
  type: MessageConnectorType,
  config: unknown,
  message: Message,
): Promise<Message> {
  const { t, language } = await openPhrases(message)
  const template = chooseTemplate(readTemplates(config), message)
  switch (type) {
    case 'Email':
      return { ...message, ...renderEmail(message, t, { language, template }) }
    case 'Sms':
      return { ...message, text: renderSms(message, t, template) }
  }
}

/**
 * Returns the built-in message as an operator's template, with placeholders instead of values. The facts of a notice
 * have no placeholders, so the template leaves them out.
 */
export async function renderBuiltInTemplate(
  type: MessageConnectorType,
  message: Message,
): Promise<Pick<Message, 'subject' | 'text' | 'html'>> {
  const { t, language } = await openPhrases(message)
  const template: Message = {
    ...message,
    code: message.code && '{{code}}',
    // Without a brand name, the host stands for it, for which there is no placeholder.
    brand: message.brand && '{{brand}}',
    link: message.link && '{{link}}',
    organization: message.organization && '{{organization}}',
    inviter: message.inviter && '{{inviter}}',
    notice: undefined,
  }
  const date = dateOf(message)
  const withDate = (text: string) => (date ? text.replaceAll(date, '{{date}}') : text)
  if (type === 'Sms') return { text: withDate(renderBuiltInSms(template, t)) }
  const mail = contentOf(template, t, language)
  return {
    subject: builtInSubject(template, t),
    text: withDate(renderMailText(mail)),
    // The name beside the monogram is not a placeholder, because the monogram is the first letter of the name.
    html: withDate(renderMailHtml({ ...mail, sender: message.brand ?? message.host })),
  }
}

async function openPhrases(message: Message): Promise<{ t: Translate; language: string }> {
  const language = chooseLanguage({
    requested: [message.language],
    available: messageLanguages,
    fallback: 'en',
  })
  return { t: createMessageTranslator(await loadMessagePhrases(language), language), language }
}

/**
 * Returns a translator that throws if a phrase is missing. An outbox row may have a type that only a newer version of
 * the Worker knows; without its phrases, the message must not be sent.
 */
function createMessageTranslator(phrases: Phrases, language: string): Translate {
  const translate = translatorFor(phrases, { language })
  return (key, values) => {
    const phrase = translate(key, values)
    if (phrase === key) throw new Error(`The messages have no phrase ${key}.`)
    return phrase
  }
}

function renderSms(message: Message, t: Translate, template: MessageTemplate | undefined): string {
  const text = template
    ? fillTemplate(template.content, operatorValues(message))
    : renderBuiltInSms(message, t)
  return isNotice(message.type) ? text : withOrigin(text, message)
}

function renderBuiltInSms(message: Message, t: Translate): string {
  const { type, code, firstFactor } = message
  const text = isNotice(type)
    ? noticeSms(message, type, t)
    : t(firstFactor ? 'secondFactor.sms' : `sms.${type}`, { code })
  return withBrand(text, message, t)
}

/** Prepends the brand name to the text, because no language has to inflect it there (ADR-0033). */
const withBrand = (text: string, { brand }: Message, t: Translate) =>
  brand ? t('branded.sms', { brand, text }) : text

/** Returns the values of the placeholders that operators can use in templates. */
const operatorValues = (message: Message) => {
  const { code, brand = '', link = '', organization = '', inviter = '' } = message
  return {
    code,
    brand,
    link,
    date: dateOf(message),
    organization: toPlainName(organization),
    inviter: toPlainName(inviter),
  }
}

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
  { type, language }: Pick<Message, 'type' | 'language'>,
): MessageTemplate | undefined {
  const candidates = templates.filter(({ usageType }) => usageType === type)
  const available = candidates.flatMap((candidate) => candidate.language || [])
  const chosenLanguage = chooseLanguage({ requested: [language], available, fallback: '' })
  return candidates.find((candidate) => (candidate.language ?? '') === chosenLanguage)
}

function renderEmail(
  message: Message,
  t: Translate,
  { language, template }: { language: string; template: MessageTemplate | undefined },
): Pick<Message, 'subject' | 'text' | 'html'> {
  const values = operatorValues(message)
  const subject =
    template?.subject === undefined ? builtInSubject(message, t) : fillTemplate(template.subject, values)
  if (template) {
    const isPlain = (template.contentType ?? template.type) === 'text/plain'
    const content = fillTemplate(template.content, isPlain ? values : escapedValues(values))
    return { subject, ...(isPlain ? { text: content } : { html: content }) }
  }
  const mail = contentOf(message, t, language)
  return { subject, text: renderMailText(mail), html: renderMailHtml(mail) }
}

function contentOf(message: Message, t: Translate, language: string): MailContent {
  const { type } = message
  if (isMailOnly(type)) return invitationMail(message, t, language)
  return isNotice(type) ? noticeMail(message, type, t, language) : codeMail(message, t, language)
}

/** Returns a subject that shows the code and the sender in the inbox (spec/experience#brand-name). */
function builtInSubject(message: Message, t: Translate): string {
  const { type, brand, code } = message
  if (isNotice(type)) return t(`notices.${type}.subject`)
  if (isMailOnly(type)) return invitationTexts(message, t).title
  return brand && type !== 'Test' ? t('branded.subject', { brand, code }) : t(`subject.${type}`)
}

const escapedValues = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeHtml(value)]))

/** Replaces placeholders with their values. Unknown placeholders are kept, so that operators notice them. */
const fillTemplate = (template: string, values: Record<string, string>): string =>
  templates.services.interpolator.interpolate(template, values, '', {})

const templates = createInstance()
void templates.init({
  initAsync: false,
  // A template only has `{{name}}`, none of the other notations of i18next. No text contains this character.
  interpolation: { escapeValue: false, formatSeparator: '\0', unescapePrefix: '\0' },
  missingInterpolationHandler: (_, [placeholder]: string[]) => placeholder,
})

/**
 * Appends a line that binds the code to an origin, so that phones suggest it only there (spec/accounts#code-message;
 * https://wicg.github.io/sms-one-time-codes/). The host in this line has no port.
 */
function withOrigin(text: string, { host, code }: Message): string {
  const line = `@${host.replace(/:\d+$/, '')} #${code}`
  return text.trimEnd().endsWith(line) ? text : `${text.trimEnd()}\n\n${line}`
}
