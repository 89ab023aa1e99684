import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { loadMessagePhrases, messageLanguages } from '../../../src/contract/connectors/message-catalogue.ts'
import { isMailOnly } from '../../../src/contract/connectors/message-types.ts'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { findUnknownVariables, variablesOf } from '../../../src/domain/connectors/template-variables.ts'
import { textDirection } from '../../../src/domain/experience/direction.ts'
import type { Message } from '../../../src/outbound/messages/message.ts'
import { renderBuiltInTemplate, renderMessage } from '../../../src/outbound/messages/templates.ts'
import { contrast } from '../../kit/contrast.ts'
import { exampleMessages } from '../../kit/example-messages.ts'
import { spread } from '../../kit/sweep.ts'

const { color } = DEFAULT_EXPERIENCE

const message: Message = {
  to: 'ann@example.com',
  type: 'SignIn',
  code: '482913',
  language: 'en',
  host: 'id.example.com:8787',
}

/** Opening them changes nothing, as tests/application/account/own-addresses.test.ts proves. */
const KNOWN_LINKS = [
  'https://id.northwind.example/account/undo',
  'https://id.northwind.example/account/not-me',
  'https://id.northwind.example/account/invitation',
  'https://id.northwind.example/account/organization-invitation',
  'mailto:support@northwind.example',
]

/** Every third language, among them scripts without spaces or from right to left. An exhaustive run has all of them. */
const someLanguages = env.TEST_SWEEP.isExhaustive ? messageLanguages : spread(messageLanguages, 11)

type Texts = { [key: string]: string | Texts }
const flat = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`),
  )
/** The words of the body of an HTML e-mail as a reader sees them, without the preheader and the sender's row. */
const textOf = (html: string) =>
  wordsOf(
    html
      .slice(html.indexOf('</h1>'))
      // The text shows the link below its sentence instead of a button.
      .replaceAll(/<a class="fill" href="([^"]+)"[^>]*>[^<]+<\/a>/g, '$1')
      .replaceAll(/<a[^>]* href="(https:[^"]+)"[^>]*>([^<]+)<\/a>/g, '$2 $1')
      .replaceAll(/<\/?(?:a|span|bdi)\b[^>]*>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll('&nbsp;', ' ')
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  )
const wordsOf = (text: string) =>
  text
    .replaceAll(/\u00a0|^--$/gm, ' ')
    .split(/[\s:\uff1a]+/)
    .filter(Boolean)
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

  it.each(['en', 'de', 'ar', 'ja'])('are valid templates to begin with in %s', async (language) => {
    for (const { notice: _, firstFactor: __, ...example } of exampleMessages(language)) {
      for (const type of ['Email', 'Sms'] as const) {
        // Invitations are only sent by email.
        if (type === 'Sms' && isMailOnly(example.type)) continue
        const { subject, text = '', html = '' } = await renderBuiltInTemplate(type, example)
        const own = { usageType: example.type, subject, content: text, contentType: 'text/plain' }
        const [builtIn, filled] = await Promise.all([
          renderMessage(type, {}, example),
          renderMessage(type, { templates: [own] }, example),
        ])
        expect([filled.subject, filled.text]).toEqual([builtIn.subject, builtIn.text])
        const written = [subject ?? '', text, html].join('\n')
        expect(findUnknownVariables(written, example.type)).toEqual([])
        const needed = variablesOf(example.type).filter((name) => name !== 'link' || example.link)
        expect(needed.filter((name) => name !== 'brand' && !written.includes(`{{${name}}}`))).toEqual([])
        if (type === 'Email') expect(html).toContain(`>${example.brand?.[0]}</div>`)
      }
    }
  })

  it.each(someLanguages)('produce complete e-mails and text messages in %s', async (language) => {
    for (const example of exampleMessages(language)) {
      const notice = example.code === ''
      const email = await renderMessage('Email', {}, example)
      expect(textOf(email.html ?? '')).toEqual(wordsOf(email.text ?? ''))
      expect(email.html).toContain(`<html lang="${language}" dir="${textDirection(language)}">`)
      expect(email.html?.includes('class="code" dir="ltr"')).toBe(!notice)
      const links = [...(email.html ?? '').matchAll(/href="([^"?]+)/g)].map(([, link]) => link)
      expect(links.filter((link) => !KNOWN_LINKS.includes(link ?? ''))).toEqual([])
      // Invitations are only sent by email.
      if (isMailOnly(example.type)) continue
      const sms = await renderMessage('Sms', {}, example)
      expect(sms.text?.endsWith(`\n\n@${example.host} #482913`)).toBe(!notice)
      const short = await renderMessage('Sms', {}, { ...example, link: undefined, supportContact: undefined })
      // The length that a four-part SMS can have in any script, or a three-part SMS with a code.
      expect(short.text?.length).toBeLessThan((notice ? 4 : 3) * 67)
      expect(JSON.stringify([email, sms])).not.toContain('{{')
    }
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

  it.each(someLanguages)(
    'contain the link that undoes a change, and no other advice: %s',
    async (language) => {
      const link = 'https://login.example.com/account/undo?change=2abc&x="'
      const notice = { ...message, type: 'EmailChanged', code: '', language, link } as const
      const { text, html } = await renderMessage('Email', {}, notice)
      const sms = await renderMessage('Sms', {}, notice)
      expect(text?.split('\n')).toContain(link)
      expect(sms.text?.split('\n').at(-1)).toBe(link)
      expect(html).toContain('href="https://login.example.com/account/undo?change=2abc&#38;x=&#34;"')
      const { wasMe } = await loadMessagePhrases(language)
      for (const rendered of [text, html, sms.text]) expect(rendered).not.toContain(wasMe)
    },
  )

  it.each(someLanguages)(
    'do not say that a code of the second factor can be ignored, or that an address was entered: %s',
    async (language) => {
      const { lead, sms, ignore, footer } = await loadMessagePhrases(language)
      const code = { ...message, language, supportContact: 'help@example.com' }
      const [first, second, other] = await Promise.all(
        ([undefined, 'password', 'other'] as const).map(async (firstFactor) => [
          (await renderMessage('Email', {}, { ...code, firstFactor })).text ?? '',
          (await renderMessage('Sms', {}, { ...code, firstFactor })).text ?? '',
        ]),
      )
      const values = { brand: code.host, host: code.host, code: code.code }
      const firstOnly = [lead.SignIn, ignore, footer.code, sms.SignIn].map((phrase) =>
        phrase.replaceAll(/\{\{(brand|host|code)\}\}/g, (_, name: keyof typeof values) => values[name]),
      )
      const unusedIn = (texts: string[] = []) =>
        firstOnly.filter((phrase) => !texts.join('\n').includes(phrase))
      expect(unusedIn(first)).toEqual([])
      expect(unusedIn(second)).toEqual(firstOnly)
      // The advice and the footer.
      expect(second?.[0]?.split(code.supportContact)).toHaveLength(3)
      // Only the advice differs, because there may be no password to change.
      const [afterPassword, afterOther] = [second, other].map((texts = []) => texts.join('\n').split('\n'))
      expect(afterOther?.filter((line) => !afterPassword?.includes(line))).toHaveLength(1)
    },
  )

  it('have a non-breaking space before colons in French, and no colon above the code', async () => {
    const { text, html } = await renderMessage('Email', {}, { ...message, language: 'fr' })
    expect(text).toContain('Votre code\u00a0: 482913')
    expect(html).toContain('>Votre code</p>')
  })

  it('load no external resources without a logo, and support a dark theme', async () => {
    const { html = '' } = await renderMessage('Email', {}, message)
    expect(html).not.toMatch(/<img|<link|<script|https?:|url\(/)
    expect(html).toContain('prefers-color-scheme:dark')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
  })

  it('show the logo with the brand name as its text, or else a monogram and the name', async () => {
    const mailWith = async (look: object) =>
      (await renderMessage('Email', {}, { ...message, brand: 'Äpfel & Co', look: { color, ...look } }))
        .html ?? ''
    const logo = 'https://cdn.example.com/logo.png?a=1&b=2'
    const both = await mailWith({ logo, darkLogo: 'https://cdn.example.com/dark.webp' })
    expect(both).toContain(
      'src="https://cdn.example.com/logo.png?a=1&#38;b=2" alt="Äpfel &#38; Co" height="28"',
    )
    expect(both).toContain('<img class="on-dark" src="https://cdn.example.com/dark.webp"')
    expect(await mailWith({ logo })).not.toContain('<img class="on-')
    const none = await mailWith({})
    expect(none).not.toContain('<img')
    expect(none).toMatch(/aria-hidden="true"[^>]+>Ä<\/div><\/td><td[^>]+><bdi>Äpfel &#38; Co<\/bdi>/)
  })

  it.each(['#FAFAFA', '#000000', '#F5D90A', '#0B5FFF', '#E5484D', '#777777'])(
    'have readable labels on the brand colour %s in both themes',
    async (primaryColor) => {
      const look = { color: { ...color, primaryColor, darkPrimaryColor: primaryColor } }
      const link = 'https://id.example.com/account/undo'
      const notice = { ...message, type: 'EmailChanged', code: '', link, look } as const
      const { html = '' } = await renderMessage('Email', {}, notice)
      const [, fill = '', text = ''] =
        /background:(#\w+);color:(#\w+)">/.exec(html.split('class="fill" href')[1] ?? '') ?? []
      const [, darkFill = '', darkText = ''] =
        /\.fill\{background:(#\w+)!important;color:(#\w+)/.exec(html) ?? []
      expect(contrast(fill, text)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(darkFill, darkText)).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('say when, on which device and where a change was made, in the language and time zone of the reader', async () => {
    const [example] = exampleMessages('de').filter(({ name }) => name === 'EmailChanged')
    const { text } = await renderMessage('Email', {}, example ?? message)
    expect(text).toContain(
      [
        'Vorher: emma****@example.com',
        'Jetzt: e.la****@example.org',
        'Wann: 27. November 2026 um 19:05 MEZ',
        'Gerät: Chrome unter macOS',
        'Ort: Berlin, Deutschland',
      ].join('\n'),
    )
    expect(text).toContain('Das war ich nicht:\nhttps://id.northwind.example/account/not-me')
    expect(text).toContain('wenden Sie sich dann an Northwind Bank (support@northwind.example).')
  })

  it('name a city state once', async () => {
    const notice = { at: 0, facts: { city: 'Singapore', country: 'SG' }, notMe: undefined }
    const { text } = await renderMessage('Email', {}, { ...message, type: 'NewSignIn', code: '', notice })
    expect(text).toContain('Place: Singapore\n')
  })

  it('leave out what they do not know, and use UTC', async () => {
    const at = Date.UTC(2026, 10, 27, 18, 5)
    for (const timeZone of [undefined, 'Nowhere/Else']) {
      const notice = { at, facts: { timeZone, userAgent: 'curl/8', country: 'T1' }, notMe: undefined }
      const { text } = await renderMessage(
        'Email',
        {},
        { ...message, type: 'PasswordChanged', code: '', notice },
      )
      expect(text).toContain('\n\nWhen: November 27, 2026 at 6:05 PM UTC\n\nIf this was you')
      expect(text).toContain('then contact id.example.com:8787.')
    }
  })

  it('link to the support contact, whether it is an address or a URL', async () => {
    const mailWith = async (supportContact: string) =>
      (await renderMessage('Email', {}, { ...message, supportContact })).html
    expect(await mailWith('help@example.com')).toContain('href="mailto:help@example.com"')
    // The characters of an address add no recipient and no text.
    expect(await mailWith('a?bcc=b&body=%41@example.com')).toContain(
      'href="mailto:a%3Fbcc%3Db%26body%3D%2541@example.com"',
    )
    expect(await mailWith('https://example.com/help?a&b')).toContain(
      'href="https://example.com/help?a&#38;b"',
    )
  })
})

/** spec/experience#brand-name */
describe('the brand name in messages', () => {
  const brand = 'Acme & "Söhne" <b>'
  const branded = { ...message, brand }

  it.each(someLanguages)(
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
    const nested = await renderMessage('Email', {}, { ...branded, brand: '$t(ignore)' })
    expect(nested.subject).toBe('482913 is your $t(ignore) code')
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
    expect(
      await renderMessage('Email', { templates }, { ...message, firstFactor: 'password' }),
    ).toMatchObject(expected)
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
