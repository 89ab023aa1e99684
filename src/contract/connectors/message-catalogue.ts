import english from '../../../locales/messages/en.json'
import type { MessageType, NoticeType } from './message-types.ts'

/**
 * The phrases of emails and text messages in one language, in the format of the files in `locales/messages/`.
 * `{{brand}}` stands for the name of the brand, or for the host if there is none.
 */
type MessagePhrases = {
  subject: Record<MessageType, string>
  /** The variants that mention the brand name. In `sms`, the placeholder `{{text}}` stands for the complete message. */
  branded: { subject: string; sms: string }
  lead: Record<MessageType, string>
  code: string
  validity: string
  secret: string
  ignore: string
  sms: Record<MessageType, string>
  /**
   * A code of the second factor: its texts instead of those for `SignIn`, and what to do if the user did not sign in,
   * depending on whether a password was the first factor.
   */
  secondFactor: { lead: string; sms: string; advice: string; adviceWithoutPassword: string }
  notices: Record<NoticeType, { subject: string; lead: string }>
  /** The sentence that says what to do about a change that the user did not make. */
  advice: string
  deletionAdvice: string
  wasMe: string
  notMe: string
  /** The names of what a notice knows about a change. `browser` is the name of a browser on a system. */
  facts: { when: string; device: string; place: string; before: string; now: string; browser: string }
  /** The advice in notices that contain a link to undo the change, instead of the usual advice. */
  undo: { lead: string; action: string }
  /** An invitation, whose link works once until `{{time}}`. */
  invitation: { subject: string; lead: string; action: string; until: string }
  /** The texts of an invitation to an organisation, with and without the name of the inviter. */
  organizationInvitation: { subject: string; lead: string; leadFrom: string }
  /** The sentences that say how to get help, and why somebody gets this email. */
  footer: { help: string; code: string; notice: string }
}

/** The languages in which messages are available (spec/experience#languages). */
const texts = {
  en: () => english,
  de: async () => (await import('../../../locales/messages/de.json')).default,
  fr: async () => (await import('../../../locales/messages/fr.json')).default,
  ko: async () => (await import('../../../locales/messages/ko.json')).default,
  'pt-PT': async () => (await import('../../../locales/messages/pt-PT.json')).default,
  'pt-BR': async () => (await import('../../../locales/messages/pt-BR.json')).default,
  ru: async () => (await import('../../../locales/messages/ru.json')).default,
  'tr-TR': async () => (await import('../../../locales/messages/tr-TR.json')).default,
  'zh-CN': async () => (await import('../../../locales/messages/zh-CN.json')).default,
  es: async () => (await import('../../../locales/messages/es.json')).default,
  it: async () => (await import('../../../locales/messages/it.json')).default,
  ja: async () => (await import('../../../locales/messages/ja.json')).default,
  nl: async () => (await import('../../../locales/messages/nl.json')).default,
  pl: async () => (await import('../../../locales/messages/pl.json')).default,
  ar: async () => (await import('../../../locales/messages/ar.json')).default,
  he: async () => (await import('../../../locales/messages/he.json')).default,
  fa: async () => (await import('../../../locales/messages/fa.json')).default,
  'zh-TW': async () => (await import('../../../locales/messages/zh-TW.json')).default,
  'zh-HK': async () => (await import('../../../locales/messages/zh-HK.json')).default,
  uk: async () => (await import('../../../locales/messages/uk.json')).default,
  cs: async () => (await import('../../../locales/messages/cs.json')).default,
  sv: async () => (await import('../../../locales/messages/sv.json')).default,
  da: async () => (await import('../../../locales/messages/da.json')).default,
  nb: async () => (await import('../../../locales/messages/nb.json')).default,
  fi: async () => (await import('../../../locales/messages/fi.json')).default,
  hu: async () => (await import('../../../locales/messages/hu.json')).default,
  ro: async () => (await import('../../../locales/messages/ro.json')).default,
  el: async () => (await import('../../../locales/messages/el.json')).default,
  th: async () => (await import('../../../locales/messages/th.json')).default,
  vi: async () => (await import('../../../locales/messages/vi.json')).default,
  id: async () => (await import('../../../locales/messages/id.json')).default,
  hi: async () => (await import('../../../locales/messages/hi.json')).default,
} satisfies Record<string, () => MessagePhrases | Promise<MessagePhrases>>

type MessageLanguage = keyof typeof texts

export const messageLanguages = Object.keys(texts)

/** Loads the message phrases of a language. Returns the English phrases for a language tag without message phrases. */
export async function loadMessagePhrases(language: string): Promise<MessagePhrases> {
  return texts[hasTexts(language) ? language : 'en']()
}

const hasTexts = (language: string): language is MessageLanguage => Object.hasOwn(texts, language)
