import { describe, expect, it } from 'vitest'
import { messageTypes } from '../../../src/contract/connectors/connectors.ts'
import { loadMessagePhrases, messageLanguages } from '../../../src/contract/connectors/message-catalogue.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import type { Message } from '../../../src/outbound/messages/message.ts'
import { renderMessage } from '../../../src/outbound/messages/templates.ts'

const message: Message = {
  to: 'ann@example.com',
  type: 'SignIn',
  code: '482913',
  language: 'en',
  host: 'id.example.com:8787',
}

type Texts = { [key: string]: string | Texts }
const flat = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`),
  )
const placeholders = (text: string) => text.match(/\{\{\w+\}\}/g)?.sort() ?? []

describe('the built-in message templates', () => {
  it('exist in every language that the pages support', () => {
    expect(messageLanguages).toEqual([...builtInLanguages])
  })

  it.each(messageLanguages)('have the same keys and placeholders in %s as in English', async (language) => {
    const english = flat(await loadMessagePhrases('en'))
    const translated = flat(await loadMessagePhrases(language))
    expect(translated.map(([key, text]) => [key, placeholders(text)])).toEqual(
      english.map(([key, text]) => [key, placeholders(text)]),
    )
    expect(translated.filter(([, text]) => text.trim() === '' || text !== text.trim())).toEqual([])
  })

  it.each(messageLanguages.flatMap((language) => messageTypes.map((type) => ({ language, type }))))(
    'produce a complete e-mail and SMS for the type $type in $language',
    async ({ language, type }) => {
      const email = await renderMessage('Email', {}, { ...message, type, language })
      expect(email.text).toContain('482913')
      expect(email.text).toContain('id.example.com')
      expect(email.html).toContain(`<html lang="${language}">`)
      expect(email.html).toContain('>482913</p>')
      const sms = await renderMessage('Sms', {}, { ...message, type, language })
      expect(sms.text?.endsWith('\n\n@id.example.com #482913')).toBe(true)
      // The length that a three-part SMS can have in any script.
      expect(sms.text?.length).toBeLessThan(3 * 67)
      expect(JSON.stringify([email, sms])).not.toContain('{{')
    },
  )

  it.each(messageLanguages)('produce complete notices in %s, without a code', async (language) => {
    const notice = { ...message, type: 'PasswordReset', code: '', language } as const
    const { subject, text, html } = await renderMessage('Email', {}, notice)
    expect(text).toContain('id.example.com')
    expect(html).toContain(`<html lang="${language}">`)
    expect(html).not.toContain('class="code"')
    const sms = await renderMessage('Sms', {}, notice)
    expect(sms.text).toContain('id.example.com')
    expect(sms.text).not.toContain('#')
    expect(sms.text?.length).toBeLessThan(3 * 67)
    expect(JSON.stringify([subject, text, html, sms.text])).not.toContain('{{')
  })

  it.each([
    { requested: 'fr-CA', lang: 'fr' },
    { requested: 'pt', lang: 'pt-PT' },
    { requested: 'zh-Hant-TW', lang: 'zh-TW' },
    { requested: 'sw', lang: 'en' },
  ])('are in $lang when the requested language is $requested', async ({ requested, lang }) => {
    expect((await renderMessage('Email', {}, { ...message, language: requested })).html).toContain(
      `lang="${lang}"`,
    )
  })

  it.each(messageLanguages)(
    'contain a link in each notice to the page for undoing the change: %s',
    async (language) => {
      const link = 'https://login.example.com/account/undo?change=2abc&x="'
      const notice = { ...message, type: 'EmailChanged', code: '', language, link } as const
      const { text, html } = await renderMessage('Email', {}, notice)
      const sms = await renderMessage('Sms', {}, notice)
      for (const plain of [text, sms.text]) {
        expect(plain?.split('\n').at(-1)).toBe(link)
        expect(plain).not.toMatch(/\{\{/)
      }
      expect(html).toContain('href="https://login.example.com/account/undo?change=2abc&#38;x=&#34;"')
      // A notice without a link advises the user to reset the password; one with a link must not.
      const { advice } = (await loadMessagePhrases(language)).notices.EmailChanged
      for (const rendered of [text, html, sms.text]) expect(rendered).not.toContain(advice)
    },
  )

  it('have a non-breaking space before colons in French, and no colon above the code', async () => {
    const { text, html } = await renderMessage('Email', {}, { ...message, language: 'fr' })
    expect(text).toContain('Votre code\u00a0: 482913')
    expect(html).toContain('>Votre code</p>')
  })

  it('load no external resources and support a dark theme', async () => {
    const { html = '' } = await renderMessage('Email', {}, message)
    expect(html).not.toMatch(/<img|<link|<script|https?:|url\(/)
    expect(html).toContain('prefers-color-scheme:dark')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
  })
})

/** spec/experience#brand-name */
describe('the brand name in messages', () => {
  const brand = 'Acme & "Söhne" <b>'
  const branded = { ...message, brand }

  it.each(messageLanguages)(
    'appears in the subject of an e-mail and at the start of an SMS in %s',
    async (language) => {
      const email = await renderMessage('Email', {}, { ...branded, language })
      expect(email.subject).toContain(brand)
      expect(email.subject).toContain('482913')
      const sms = await renderMessage('Sms', {}, { ...branded, language })
      expect(sms.text?.split('\n')[0]).toContain(brand)
      expect(sms.text?.endsWith('\n\n@id.example.com #482913')).toBe(true)
      const notice = { ...branded, type: 'PasswordReset', code: '', language } as const
      expect((await renderMessage('Sms', {}, notice)).text).toContain(brand)
      expect(JSON.stringify([email, sms])).not.toContain('{{')
    },
  )

  it('is escaped in HTML and never interpreted as a template', async () => {
    const { subject, html } = await renderMessage('Email', {}, { ...branded, brand: '<i>{{code}}' })
    expect(subject).toBe('482913 is your <i>{{code}} code')
    expect(html).toContain('&#60;i&#62;{{code}}')
    expect(html).not.toContain('<i>')
    const { text } = await renderMessage('Sms', {}, { ...branded, brand: '{{text}}' })
    expect(text).toMatch(/^\{\{text\}\}: 482913 is/)
  })

  it('is not added to an operator’s template that omits it', async () => {
    const templates = [
      { usageType: 'SignIn', subject: '{{brand}}', content: '<b>{{brand}}</b> {{code}}' },
      { usageType: 'Register', subject: 'Hello', content: 'Code {{code}}' },
    ]
    expect(await renderMessage('Email', { templates }, branded)).toMatchObject({
      subject: brand,
      html: '<b>Acme &#38; &#34;Söhne&#34; &#60;b&#62;</b> 482913',
    })
    expect(await renderMessage('Email', { templates }, { ...branded, type: 'Register' })).toMatchObject({
      subject: 'Hello',
      html: 'Code 482913',
    })
  })
})

describe('an operator’s templates', () => {
  const template = (more: object) => ({ usageType: 'SignIn', content: 'Code {{code}}', ...more })

  it.each([
    {
      name: 'plain text',
      templates: [template({ subject: '{{ code }} for you', contentType: 'text/plain' })],
      expected: { subject: '482913 for you', text: 'Code 482913' },
    },
    {
      name: 'HTML by default',
      templates: [template({ content: '<b>{{code}}</b> {{name}}' })],
      expected: { subject: 'Your code to sign in', html: '<b>482913</b> {{name}}' },
    },
    {
      name: 'the content type under SendGrid’s name for it',
      templates: [template({ type: 'text/plain' })],
      expected: { text: 'Code 482913' },
    },
    {
      name: 'the user’s language before a text without a language',
      templates: [template({ content: 'all' }), template({ content: 'english', language: 'en' })],
      expected: { html: 'english' },
    },
    {
      name: 'a text without a language before another language',
      templates: [template({ content: 'français', language: 'fr' }), template({ content: 'all' })],
      expected: { html: 'all' },
    },
  ])('[ASVS-1.3.7] are used for a message: $name', async ({ templates, expected }) => {
    const { subject, text, html } = await renderMessage('Email', { templates }, message)
    expect({ subject: 'Your code to sign in', text: undefined, html: undefined, ...expected }).toEqual({
      subject,
      text,
      html,
    })
  })

  it.each([
    { name: 'only another language', templates: [template({ language: 'fr' })] },
    { name: 'another type', templates: [template({ usageType: 'Register' })] },
    { name: 'a template stored at the provider', templates: [{ usageType: 'SignIn', templateCode: 'T1' }] },
  ])('are replaced by the built-in templates if none matches: $name', async ({ templates }) => {
    expect((await renderMessage('Email', { templates }, message)).text).toContain('Your code: 482913')
  })

  it.each(['{{none}}', '{{- code}}', '{{code, list}}', '{{code.length}}', '$t(code)', '{{constructor}}'])(
    'keep %s unchanged, because only placeholders such as `{{code}}` have a meaning',
    async (notation) => {
      const templates = [template({ content: `${notation} {{code}}`, contentType: 'text/plain' })]
      expect((await renderMessage('Email', { templates }, message)).text).toBe(`${notation} 482913`)
    },
  )

  it('produce an SMS that ends with a single line naming the origin', async () => {
    const textOf = async (content: string) =>
      (await renderMessage('Sms', { templates: [template({ content })] }, message)).text
    expect(await textOf('Code {{code}}')).toBe('Code 482913\n\n@id.example.com #482913')
    expect(await textOf('Code\n@id.example.com #{{code}}')).toBe('Code\n@id.example.com #482913')
  })
})
