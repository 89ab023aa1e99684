import { describe, expect, it } from 'vitest'
import type { Experience } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { adaIdentifier, bootExperience, testBootData } from './boot-data.ts'
import { renderElement } from './render.tsx'

const both = { password: true, verificationCode: true, isPasswordPrimary: false }
const byAddress: Experience = {
  ...bootExperience,
  signIn: {
    methods: [
      { identifier: 'email', ...both },
      { identifier: 'phone', ...both, password: false },
    ],
  },
  signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
  forgotPassword: { email: true, phone: true },
}
const toAda = { identifier: { type: 'email', value: 'ada@example.com' } } as const
const toPhone = { identifier: { type: 'phone', value: '4917012345678' } } as const

const renderPage = (page: Partial<BootData>) =>
  renderElement({ ...testBootData, experience: byAddress, ...page })
const text = (html: string) => html.replaceAll(/<!-- -->/g, '').replaceAll(/<[^>]+>/g, '')
const inputs = (html: string) => [...html.matchAll(/<input[^>]*>/g)].map(([input]) => input)
const inputNamed = (html: string, name: string) =>
  inputs(html).find((input) => input.includes(` name="${name}"`)) ?? ''

const codePage = { path: '/sign-in/verification-code', navigation: toAda }

describe('the verification code page', () => {
  const html = renderPage(codePage)
  const boxes = inputs(html).filter((input) => input.includes('name="passcode_'))

  it('has a group of six labelled boxes, from left to right', () => {
    expect(html).toMatch(
      /<fieldset class="field code" name="passcode"><legend[^>]*>Verification code<\/legend><div[^>]* dir="ltr">/,
    )
    expect(boxes.map((input) => / aria-label="([^"]*)"/.exec(input)?.[1])).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => `Digit ${number} of 6`),
    )
    expect(boxes.every((input) => input.includes('inputMode="numeric" enterKeyHint="go"'))).toBe(true)
  })

  it('lets the browser fill in the whole code in any box', () => {
    const complete = boxes.map((input) => / autoComplete="([^"]*)"/.exec(input)?.[1])
    expect(complete).toEqual(['one-time-code', 'off', 'off', 'off', 'off', 'off'])
    expect(boxes.every((input) => input.includes('maxLength="12"'))).toBe(true)
  })

  it('focuses the first box even without JavaScript', () => {
    expect(inputs(html).filter((input) => /autofocus/i.test(input))).toEqual([boxes[0]])
  })

  it('has buttons to continue and to send another code without JavaScript', () => {
    expect(html).toMatch(/<button type="submit"[^>]*name="submit"[^>]*>.*?Continue/)
    expect(html).toMatch(/<input type="hidden" name="intent" value="resend"\/>.*Resend code/)
    expect(text(html)).not.toContain('Resend code in')
  })

  it.each([
    { navigation: toAda, title: 'Check your email', target: 'ada@example.com' },
    { navigation: toPhone, title: 'Check your phone', target: '+49 17012345678' },
  ])('says visibly where the code was sent: $target', ({ navigation, title, target }) => {
    const page = renderPage({ ...codePage, navigation })
    expect(page).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`))
    const [, sentence = ''] = /<p class="description">(.*?)<\/p>/.exec(page) ?? []
    expect(text(sentence)).toBe(`We sent a 6-digit code to ${target}. Edit`)
    expect(sentence).toContain(`<bdi class="code-address">${target}</bdi>`)
    expect(sentence).not.toContain('hidden')
  })

  it.each([
    { value: 'ada@Gmail.com', help: 'Open Gmail (opens in a new tab)', url: 'https://mail.google.com/mail/' },
    {
      value: 'ada@me.com',
      help: 'Open iCloud Mail (opens in a new tab)',
      url: 'https://www.icloud.com/mail/',
    },
    { value: 'ada@gmail.com.example', help: '', url: null },
  ])(
    'names the spam folder, and links to the mailbox of a well-known provider: $value',
    ({ value, help, url }) => {
      const page = renderPage({ ...codePage, navigation: { identifier: { type: 'email', value } } })
      expect(text(page)).toContain(`Didn’t get it? Check your spam folder. ${help}`)
      const links = [...page.matchAll(/href="(https:[^"]*)" target="_blank" rel="noopener"/g)]
      expect(links.map(([, href]) => href).filter((href) => !href?.includes('vestibule'))).toEqual(
        url === null ? [] : [url],
      )
    },
  )

  it('does not mention the spam folder if the code was sent to a phone', () => {
    expect(text(renderPage({ ...codePage, navigation: toPhone }))).not.toContain('spam')
  })

  it('offers the password instead if the method allows it', () => {
    expect(html).toContain('href="/sign-in/password?interaction=uid"')
    expect(renderPage({ ...codePage, navigation: toPhone })).not.toContain('/sign-in/password')
    expect(renderPage({ ...codePage, path: '/register/verification-code' })).not.toContain(
      '/sign-in/password',
    )
  })

  it('shows the error below the boxes, and focuses the first box even without JavaScript', () => {
    const notice = { kind: 'inline', field: 'passcode', message: 'Wrong.' } as const
    const rejected = renderPage({ ...codePage, notice })
    expect(rejected).toContain('<p class="field-problem" id="passcode-problem" role="alert">Wrong.<')
    expect(rejected).toContain('name="passcode" aria-describedby="passcode-problem"')
    expect(inputs(rejected).filter((input) => /autofocus/i.test(input))).toEqual([
      inputNamed(rejected, 'passcode_0'),
    ])
  })

  it('keeps the query parameters in the forms in its dialogs', () => {
    const notice = { kind: 'confirm', message: 'Link?', yes: 'Yes', intent: 'link', back: 1 } as const
    const search = '?interaction=uid&link_social=github'
    const dialogHtml = renderPage({ ...codePage, path: '/continue/verification-code', search, notice })
    expect(inputs(dialogHtml).filter((input) => /autofocus/i.test(input))).toEqual([])
    for (const [, action] of dialogHtml.matchAll(/<form[^>]* action="([^"]*)"/g)) {
      expect(action).toBe('/continue/verification-code?link_social=github&amp;interaction=uid')
    }
    expect(dialogHtml).toContain('<input type="hidden" name="intent" value="link"/>')
  })

  it('has an alert with a button to go back and change the address', () => {
    const notice = { kind: 'alert', message: 'Unknown.', button: 'Change email', back: 1 } as const
    expect(renderPage({ ...codePage, notice })).toMatch(
      /<dialog.*Unknown\..*href="\/sign-in[^"]*".*Change email.*<\/dialog>/,
    )
  })

  it.each(['/sign-in', '/register', '/forgot-password', '/continue'])(
    'is available under the path %s',
    (flow) => {
      expect(renderPage({ ...codePage, path: `${flow}/verification-code` })).toContain('name="passcode_5"')
    },
  )

  it('is not available for registration if users cannot register with an address', () => {
    const none = { ...byAddress, signIn: { methods: [] } }
    const hasCodeField = (path: string) =>
      renderPage({ ...codePage, path, experience: none }).includes('name="passcode_0"')
    expect(hasCodeField('/register/verification-code')).toBe(false)
    expect(hasCodeField('/forgot-password/verification-code')).toBe(true)
  })

  it('"shows an error if the method is not enabled, except in forgot-password"', () => {
    const isError = (experience: Experience) =>
      ['sign-in', 'register', 'continue', 'forgot-password'].filter((flow) =>
        text(renderPage({ ...codePage, path: `/${flow}/verification-code`, experience })).includes(
          '404 Not Found',
        ),
      )
    const byPhone = { ...byAddress, signIn: { methods: [{ identifier: 'phone' as const, ...both }] } }
    expect(isError(byPhone)).toEqual(['sign-in', 'register', 'continue'])
    expect(isError(byAddress)).toEqual([])
  })

  it('shows an error page if the navigation state is missing', () => {
    const missing = text(renderPage({ ...codePage, navigation: null }))
    expect(missing).toContain('This page has expired')
    expect(missing).toContain('Session not found. Please go back')
    expect(text(renderPage({ ...codePage, navigation: adaIdentifier }))).toContain('404 Not Found')
  })
})

describe('the pages for a forgotten password', () => {
  it('ask for an address of a type that can reset the password', () => {
    const by = (forgotPassword: Experience['forgotPassword']) =>
      text(renderPage({ path: '/forgot-password', experience: { ...byAddress, forgotPassword } }))
    expect(by({ email: true, phone: true })).toContain('Enter your email or phone number')
    expect(by({ email: false, phone: true })).toContain('Enter your phone number')
    expect(by({ email: false, phone: false })).toContain('404 Not Found')
  })

  it.each([
    { navigation: toAda, email: true, phone: true, value: 'value="ada@example.com"' },
    { navigation: toPhone, email: true, phone: true, value: 'value="17012345678"' },
    { navigation: toPhone, email: true, phone: false, value: null },
    { navigation: adaIdentifier, email: true, phone: true, value: null },
    { navigation: null, email: true, phone: true, value: null },
  ])(
    'prefill the previous identifier if it can reset the password',
    ({ navigation, email, phone, value }) => {
      const experience = { ...byAddress, forgotPassword: { email, phone } }
      const input = inputNamed(renderPage({ path: '/forgot-password', experience, navigation }), 'identifier')
      if (value) expect(input).toContain(value)
      else expect(input).toMatch(/ value=""/)
    },
  )

  it('ask for the new password once, and show the verified address', () => {
    const html = renderPage({ path: '/forgot-password/reset', navigation: toPhone })
    expect(inputNamed(html, 'newPassword')).toContain('autoComplete="new-password"')
    expect(inputNamed(html, 'confirmPassword')).toBe('')
    expect(html).toMatch(/autoComplete="username"[^>]*value="\+4917012345678"/)
    expect(text(html)).toContain('Choose a password for +49 17012345678')
  })
})

describe('the page for a missing profile item', () => {
  it.each([
    { path: '/continue/password', title: 'Choose a password', field: 'newPassword' },
    { path: '/continue/username', title: 'Choose a username', field: 'identifier' },
    { path: '/continue/email', title: 'Add your email', field: 'identifier' },
    { path: '/continue/phone', title: 'Add your phone number', field: 'identifier' },
    { path: '/continue/emailOrPhone', title: 'Add your email or phone number', field: 'identifier' },
  ])('is shown at $path', ({ path, title, field }) => {
    const html = renderPage({ path, navigation: { event: 'Register' } })
    expect(html).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`))
    expect(inputNamed(html, field)).not.toBe('')
    expect(html).toContain('href="/register?interaction=uid"')
  })

  it('links back to the previous page', () => {
    expect(renderPage({ path: '/continue/username', navigation: { event: 'SignIn' } })).toContain(
      'href="/sign-in?interaction=uid"',
    )
  })

  it.each([
    ['/continue/username', 'username'],
    ['/continue/email', 'email'],
    ['/continue/phone', 'tel'],
    ['/continue/emailOrPhone', 'username'],
  ])('lets the browser autofill the field on %s', (path, name) => {
    expect(inputNamed(renderPage({ path }), 'identifier')).toContain(`autoComplete="${name}"`)
  })

  it.each([
    {
      taken: { email: 'lovelace@example.com' },
      message: 'The email love****@example.com is linked to another account.',
    },
    { taken: { phone: '4917012345678' }, message: 'The phone number ****5678 is linked to another account.' },
  ])('shows the social account’s address if another account uses it: $message', ({ taken, message }) => {
    const html = renderPage({
      path: '/continue/emailOrPhone',
      navigation: { registeredSocialIdentity: taken },
    })
    expect(text(html)).toContain(message)
    expect(html).not.toContain('lovelace')
  })

  it('is not available if accounts never have the item', () => {
    const experience = {
      ...byAddress,
      signUp: { identifiers: ['username' as const], password: false, verify: false },
    }
    for (const path of [
      '/continue/password',
      '/continue/email',
      '/continue/emailOrPhone',
      '/continue/avatar',
    ]) {
      expect(text(renderPage({ path, experience }))).toContain('404 Not Found')
    }
  })
})
