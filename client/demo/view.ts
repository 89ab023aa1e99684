import { decodeJwt, decodeProtectedHeader } from 'jose'
import type { User } from 'oidc-client-ts'
import { accountUrl, demoRequest } from './session.ts'

/** The actions of the page's buttons. */
export type DemoActions = Record<'signIn' | 'createAccount' | 'signOut' | 'refresh', () => Promise<void>> & {
  changePassword(user: User, password: string): Promise<void>
}

/** Renders the demo application's page with plain DOM elements and no framework. */

/** Indicates that a call is in progress, also to assistive technology. */
export function setViewState({ isBusy }: { isBusy: boolean }): void {
  root().setAttribute('aria-busy', String(isBusy))
}

/** Shows the signed-out page, with a notice of what just happened, if there is one. */
export function showSignedOut(actions: DemoActions, notice?: string): void {
  renderPage(
    element('h1', {}, 'Demo application'),
    element(
      'p',
      { className: 'demo-lead' },
      'A small browser application that leaves sign-in to Vestibule, as yours will.',
    ),
    noticeLine(notice),
    element(
      'div',
      { className: 'demo-actions' },
      button('Sign in', actions.signIn, 'demo-primary'),
      button('Create account', actions.createAccount),
    ),
    element('h2', {}, 'What it requests'),
    list(Object.entries(demoRequest)),
    element(
      'p',
      { className: 'demo-note' },
      'prompt=login shows the sign-in page even if you are already signed in, because this demo is about that page. ' +
        'prompt=consent lets third parties request offline_access, which returns a refresh token; your own applications don’t need it.',
    ),
  )
}

/** Shows the signed-in page, with claims and tokens. */
export function showSignedIn(user: User, actions: DemoActions, notice?: string): void {
  renderPage(
    element('h1', {}, `Hello, ${user.profile.name ?? user.profile.username ?? user.profile.sub}`),
    element('p', { className: 'demo-lead' }, 'This is what the application knows about you.'),
    noticeLine(notice),
    element(
      'div',
      { className: 'demo-actions' },
      button('Sign out', actions.signOut, 'demo-primary'),
      accountLink('/account', 'Your account'),
      accountLink('/account/profile', 'Edit profile'),
      ...(user.refresh_token ? [button('Refresh tokens', actions.refresh)] : []),
    ),
    element('h2', {}, 'Claims'),
    list(Object.entries(user.profile)),
    element('h2', {}, 'Tokens'),
    token('ID token', user.id_token),
    token('Access token', user.access_token, `Expires in ${user.expires_in ?? 0} seconds.`),
    token('Refresh token', user.refresh_token),
    element('h2', {}, 'Account'),
    passwordForm((password) => actions.changePassword(user, password)),
  )
}

/** The state is created only when the user follows the link, so that the page stores only one state at a time. */
function accountLink(path: string, text: string): HTMLElement {
  const link = element('a', { href: path, className: 'demo-button' }, text)
  link.addEventListener('click', () => {
    link.href = accountUrl(path)
  })
  return link
}

/** A form whose API call requires a sign-in within the last ten minutes (docs/guides/integration.md). */
function passwordForm(change: (password: string) => void): HTMLElement {
  const field = element('input', {
    type: 'password',
    id: 'new-password',
    className: 'demo-input',
    autocomplete: 'new-password',
    required: true,
  })
  const form = element(
    'form',
    { className: 'demo-actions' },
    element('label', { htmlFor: field.id, className: 'demo-label' }, 'New password'),
    field,
    element('button', { type: 'submit', className: 'demo-button' }, 'Change password'),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    change(field.value)
  })
  return form
}

const list = (entries: readonly [name: string, value: unknown][]) =>
  element('dl', { className: 'demo-list' }, ...entries.flatMap(row))

function row([name, value]: readonly [name: string, value: unknown]): HTMLElement[] {
  return [
    element('dt', {}, name),
    element('dd', {}, typeof value === 'string' ? value : JSON.stringify(value)),
  ]
}

function token(name: string, value: string | undefined, note?: string): HTMLElement {
  if (!value) return element('p', { className: 'demo-note' }, `No ${name.toLowerCase()}.`)
  const decoded = readJwt(value)
  return element(
    'details',
    { className: 'demo-token' },
    element('summary', {}, name),
    ...(note ? [element('p', { className: 'demo-note' }, note)] : []),
    ...(decoded ? [code(`${name}, decoded`, JSON.stringify(decoded, null, 2))] : []),
    code(name, value),
  )
}

/** Decodes a JWT. Returns null for an opaque token. */
function readJwt(value: string): { header: unknown; payload: unknown } | null {
  if (value.split('.').length !== 3) return null
  return { header: decodeProtectedHeader(value), payload: decodeJwt(value) }
}

/**
 * A block of scrollable text. It must be focusable so that the keyboard can scroll it, and a focusable element
 * needs a name.
 */
const code = (name: string, text: string) => {
  const block = element('pre', { tabIndex: 0, ariaLabel: name }, text)
  block.setAttribute('role', 'region')
  return block
}

const noticeLine = (text = '') => {
  const line = element('p', { className: 'demo-notice' }, text)
  line.setAttribute('role', 'status')
  return line
}

function button(text: string, action: () => void, className = ''): HTMLElement {
  const control = element('button', { type: 'button', className: `demo-button ${className}` }, text)
  control.addEventListener('click', action)
  return control
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...children)
  return node
}

function renderPage(...children: Node[]): void {
  root().replaceChildren(...children)
}

function root(): HTMLElement {
  const element = document.getElementById('demo')
  if (!element) throw new Error('The page has no element #demo.')
  return element
}
