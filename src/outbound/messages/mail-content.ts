import type { NoticeFacts } from '../../contract/connectors/connectors.ts'
import {
  isMailOnly,
  type NoticeType,
  ORGANIZATION_INVITATION_MESSAGE,
} from '../../contract/connectors/message-types.ts'
import { DEFAULT_EXPERIENCE } from '../../contract/experience/experience.ts'
import { toPlainName } from '../../domain/connectors/plain-name.ts'
import { toStandardTag } from '../../domain/experience/standard-tag.ts'
import type { Translate } from '../../domain/experience/translator.ts'
import { getPlaceNames } from '../../domain/place.ts'
import { parseUserAgent } from '../../domain/user-agent.ts'
import type { MailContent } from './mail-layout.ts'
import type { Message } from './message.ts'

/** Says what the built-in emails contain. `mail-layout.ts` says how they look. */

/** Returns the content of an email with a code. */
export function codeMail(message: Message, t: Translate, language: string): MailContent {
  const { type, code, firstFactor } = message
  const values = messageValues(message)
  const validity = t('validity')
  const isTest = type === 'Test'
  return {
    ...frameOf(message, language),
    title: t(`subject.${type}`),
    preheader: `${code.replace(/^(\d{3})(?=\d{3}$)/, '$1 ')} · ${validity}`,
    lead: t(firstFactor ? 'secondFactor.lead' : `lead.${type}`, values),
    code: { code, line: t('code', { code }), notes: [validity, t('secret', values)] },
    facts: [],
    notes: [t(firstFactor ? secondFactorAdvice[firstFactor] : 'ignore', values)],
    footer: [
      ...helpLines(message, t),
      ...(isTest ? [] : [t(firstFactor ? 'footer.notice' : 'footer.code', values)]),
    ],
  }
}

const secondFactorAdvice = {
  password: 'secondFactor.advice',
  other: 'secondFactor.adviceWithoutPassword',
}

/** Returns the content of a notice, which says what happened, when, on which device and where. */
export function noticeMail(message: Message, type: NoticeType, t: Translate, language: string): MailContent {
  const { link, notice } = message
  const values = messageValues(message)
  const lead = t(`notices.${type}.lead`, values)
  const undo = link === undefined ? undefined : { lead: t('undo.lead'), label: t('undo.action'), link }
  const notMe = undo || !notice?.notMe ? undefined : { label: t('notMe'), link: notice.notMe }
  return {
    ...frameOf(message, language),
    title: t(`notices.${type}.subject`),
    preheader: lead,
    lead,
    facts: notice ? factsOf(notice, t, language) : [],
    undo,
    notMe,
    notes: undo ? [] : adviceOf(type, t, values),
    footer: [...helpLines(message, t), t('footer.notice', values)],
  }
}

/** Returns the title and the lead of an invitation, which name the organisation and the inviter if there are any. */
export function invitationTexts(message: Message, t: Translate): { title: string; lead: string } {
  const values = {
    ...messageValues(message),
    organization: toPlainName(message.organization ?? ''),
    inviter: toPlainName(message.inviter ?? ''),
  }
  if (message.type !== ORGANIZATION_INVITATION_MESSAGE)
    return { title: t('invitation.subject', values), lead: t('invitation.lead', values) }
  return {
    title: t('organizationInvitation.subject', values),
    lead: t(values.inviter ? 'organizationInvitation.leadFrom' : 'organizationInvitation.lead', values),
  }
}

/** Returns the content of an invitation, whose only purpose is its link. */
export function invitationMail(message: Message, t: Translate, language: string): MailContent {
  const { link = '' } = message
  const { title, lead } = invitationTexts(message, t)
  return {
    ...frameOf(message, language),
    title,
    preheader: lead,
    lead,
    facts: [],
    undo: {
      lead: t('invitation.until', { time: dateOf(message) }),
      label: t('invitation.action'),
      link,
    },
    notes: [],
    footer: [...helpLines(message, t), t('footer.code', messageValues(message))],
  }
}

/** Returns the sentences that say what to do. A deletion takes effect unless the user does something. */
const adviceOf = (type: NoticeType, t: Translate, values: Record<string, string>): string[] =>
  type === 'DeletionRequested' ? [t('deletionAdvice')] : [t('wasMe'), t('advice', values)]

/** Returns a notice as a text message, which has no room for the facts. */
export function noticeSms(message: Message, type: NoticeType, t: Translate): string {
  // The brand name precedes the text, so the text names the host.
  const values = { ...messageValues(message), brand: message.host }
  const { link } = message
  if (link) return [t(`notices.${type}.lead`, values), t('undo.lead'), link].join('\n')
  const advice = type === 'DeletionRequested' ? t('deletionAdvice') : t('advice', values)
  return `${t(`notices.${type}.lead`, values)} ${advice}`
}

/** Returns the values of the placeholders in phrases. Without a brand name, the host stands for it. */
function messageValues(message: Message) {
  const { host, brand = host, supportContact } = message
  return {
    host,
    brand,
    date: dateOf(message),
    contact: supportContact ? `${brand} (${supportContact})` : brand,
  }
}

/**
 * Formats the day that a message is about, or the moment at which an invitation ends, in UTC, because the reader's time
 * zone is unknown.
 */
export function dateOf({ type, aboutAt, language }: Message): string {
  if (aboutAt === undefined) return ''
  return isMailOnly(type)
    ? timeOf(aboutAt, {}, language)
    : new Intl.DateTimeFormat(toStandardTag(language), { dateStyle: 'long', timeZone: 'UTC' }).format(aboutAt)
}

const frameOf = ({ brand, host, look, supportContact }: Message, language: string) => ({
  language,
  sender: brand ?? host,
  look: look ?? { color: DEFAULT_EXPERIENCE.color },
  contact: supportContact,
})

const helpLines = ({ supportContact }: Message, t: Translate): string[] =>
  supportContact ? [t('footer.help', { contact: supportContact })] : []

function factsOf(
  { at, facts }: NonNullable<Message['notice']>,
  t: Translate,
  language: string,
): MailContent['facts'] {
  const device = deviceOf(facts, t)
  const place = placeOf(facts, language)
  return [
    ...(facts.previous ? [{ name: t('facts.before'), value: facts.previous, isAddress: true }] : []),
    ...(facts.current ? [{ name: t('facts.now'), value: facts.current, isAddress: true }] : []),
    { name: t('facts.when'), value: timeOf(at, facts, language) },
    ...(device ? [{ name: t('facts.device'), value: device }] : []),
    ...(place ? [{ name: t('facts.place'), value: place }] : []),
  ]
}

function deviceOf({ userAgent }: NoticeFacts, t: Translate): string | null {
  const { browser, system } = parseUserAgent(userAgent ?? null)
  return browser && system ? t('facts.browser', { browser, system }) : (browser ?? system)
}

const placeOf = (facts: NoticeFacts, language: string): string =>
  getPlaceNames(facts, toStandardTag(language)).join(', ')

/** Formats a time in the time zone of the request, or in UTC if that is unknown. */
function timeOf(at: number, { timeZone = 'UTC' }: NoticeFacts, language: string): string {
  const format = (zone: string) =>
    new Intl.DateTimeFormat(toStandardTag(language), {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: zone,
      timeZoneName: 'short',
    }).format(at)
  try {
    return format(timeZone)
  } catch {
    // This runtime does not know the zone.
    return format('UTC')
  }
}
