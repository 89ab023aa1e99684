import english from '../../locales/messages/en.json'
import type { MessageType, NoticeType } from './connectors.ts'

/** One file of `locales/messages/`: the texts of e-mails and text messages, with `{{code}}`, `{{host}}` and `{{brand}}` as placeholders. */
export type MessageTexts = {
  subject: Record<MessageType, string>
  /** With the name of the brand. `text`: a whole message. */
  branded: { subject: string; sms: string }
  lead: Record<MessageType, string>
  code: string
  validity: string
  ignore: string
  sms: Record<MessageType, string>
  notices: Record<NoticeType, { subject: string; lead: string; advice: string; sms: string }>
}

/** Languages of messages (spec/experience#languages). */
const texts = {
  en: () => english,
  de: async () => (await import('../../locales/messages/de.json')).default,
  fr: async () => (await import('../../locales/messages/fr.json')).default,
  ko: async () => (await import('../../locales/messages/ko.json')).default,
  'pt-PT': async () => (await import('../../locales/messages/pt-PT.json')).default,
  'pt-BR': async () => (await import('../../locales/messages/pt-BR.json')).default,
  ru: async () => (await import('../../locales/messages/ru.json')).default,
  'tr-TR': async () => (await import('../../locales/messages/tr-TR.json')).default,
  'zh-CN': async () => (await import('../../locales/messages/zh-CN.json')).default,
} satisfies Record<string, () => MessageTexts | Promise<MessageTexts>>

type MessageLanguage = keyof typeof texts

export const messageLanguages = Object.keys(texts)

/** The texts of one of these languages; English for a tag without texts. */
export async function loadMessageTexts(language: string): Promise<MessageTexts> {
  return texts[hasTexts(language) ? language : 'en']()
}

const hasTexts = (language: string): language is MessageLanguage => Object.hasOwn(texts, language)
