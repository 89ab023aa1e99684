/**
 * The certification plans of the OpenID conformance suite for the profiles that this provider supports, and how the
 * suite's browser uses our pages (docs/development/conformance.md#openid).
 *
 * @typedef {{ client_id: string, client_secret?: string, jwks?: { keys: object[] } }} Client
 * @typedef {{ client: Client, client2: Client }} Clients
 * @typedef {{ username: string, password: string }} User
 * @typedef {{ url: string, port: number, certificate?: string, key?: string }} Resource an API that the command itself
 *   serves, because userinfo accepts only tokens with the scope `openid`
 * @typedef {object} Deployment what the plans need to know about the deployment under test
 * @property {string} issuer
 * @property {string} alias the alias of the tests, which is part of their redirect URIs: `{suite}/test/a/{alias}/callback`
 * @property {string} [suite] the URL of the suite in its redirect URIs, if it differs from `CONFORMANCE_SERVER`
 * @property {User} [user]
 * @property {User} [decliner] a user who never allows a third party anything
 * @property {Clients} [web] clients with a secret
 * @property {Clients} [fapi] third-party clients with `fapi2` and keys
 * @property {Clients} [machines] machines with `fapi2` and keys
 * @property {Resource} [resource]
 * @typedef {'user' | 'decliner' | 'web' | 'fapi' | 'machines' | 'resource'} Part
 * @typedef {object} Plan
 * @property {string} name
 * @property {Record<string, string>} variant
 * @property {readonly Part[]} needs the parts of the file without which the plan cannot run
 * @property {'web' | 'fapi' | 'machines'} clients
 * @property {string} [scope]
 */

const registered = { server_metadata: 'discovery', client_registration: 'static_client' }
const logout = { client_registration: 'static_client', response_type: 'code' }
const bound = { client_auth_type: 'private_key_jwt', sender_constrain: 'dpop' }

/** @type {Pick<Plan, 'clients' | 'needs' | 'scope'>} */
const web = {
  clients: 'web',
  needs: ['user', 'web'],
  scope: 'openid profile email address phone offline_access',
}

/**
 * The plans, keyed by the name that the command accepts.
 *
 * @satisfies {Record<string, Plan>}
 */
export const plans = {
  config: { name: 'oidcc-config-certification-test-plan', variant: {}, ...web, needs: ['web'] },
  basic: { name: 'oidcc-basic-certification-test-plan', variant: registered, ...web },
  'form-post': { name: 'oidcc-formpost-basic-certification-test-plan', variant: registered, ...web },
  'rp-initiated-logout': {
    name: 'oidcc-rp-initiated-logout-certification-test-plan',
    variant: logout,
    ...web,
  },
  'back-channel-logout': {
    name: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    variant: logout,
    ...web,
  },
  fapi2: {
    name: 'fapi2-security-profile-final-test-plan',
    variant: { ...bound, openid: 'openid_connect', fapi_profile: 'plain_fapi' },
    clients: 'fapi',
    needs: ['user', 'decliner', 'fapi'],
    scope: web.scope,
  },
  'fapi2-oauth': {
    name: 'fapi2-security-profile-final-test-plan',
    variant: { ...bound, openid: 'plain_oauth', fapi_profile: 'plain_fapi' },
    clients: 'fapi',
    needs: ['user', 'decliner', 'fapi', 'resource'],
    scope: 'profile email',
  },
  'fapi2-client-credentials': {
    name: 'fapi2-security-profile-final-test-plan',
    variant: { ...bound, openid: 'plain_oauth', fapi_profile: 'fapi_client_credentials_grant' },
    clients: 'machines',
    needs: ['machines', 'resource'],
    scope: 'profile',
  },
}

/**
 * Returns the parts that a plan needs and the file lacks.
 *
 * @param {Plan} plan
 * @param {Deployment} deployment
 */
export const missingParts = ({ needs }, deployment) => needs.filter((part) => deployment[part] === undefined)

/**
 * Returns the configuration of a plan. `server` is the URL of the suite's API.
 *
 * @param {Plan} plan
 * @param {Deployment} deployment
 * @param {string} server
 */
export function createPlanConfiguration({ clients, scope, needs }, deployment, server) {
  const { issuer, alias, resource } = deployment
  const { client, client2 } = /** @type {Clients} */ (deployment[clients])
  return {
    alias,
    description: `Vestibule at ${issuer}`,
    server: { discoveryUrl: `${issuer}/.well-known/openid-configuration` },
    client: { ...client, scope },
    client2: { ...client2, scope },
    ...(clients === 'web' && { client_secret_post: client }),
    resource: { resourceUrl: needs.includes('resource') ? resource?.url : `${issuer}/me` },
    // The suite's browser does not draw pages, so it need not read our styles either.
    options: { browsercontrol_css_enable: false },
    ...browserAutomation(deployment, (deployment.suite ?? server).replace(/\/$/, '')),
  }
}

/**
 * Returns the tasks of the suite's browser, and those of the modules that need others. Each task belongs to one page
 * and is skipped on other pages. The default browser of the suite (HtmlUnit) does not run our scripts, so it uses our
 * forms. With Chromium, pages go on by themselves, so some buttons are gone before they are clicked.
 *
 * @param {Deployment} deployment
 * @param {string} suite
 */
function browserAutomation({ issuer, alias, user, decliner }, suite) {
  const { origin } = new URL(issuer)
  const callback = `${suite}/test/a/${alias}/callback*`
  const authorization = `${issuer}/auth*`

  /** @param {User} person @param {string} button */
  const authorize = ({ username, password }, button) => [
    {
      // A browser without scripts is still at the authorization request (ADR-0174), whatever the page is.
      task: 'First page',
      match: authorization,
      optional: true,
      commands: [
        FILL_IN_PICTURE,
        ['click', 'css', button, 'optional'],
        ['click', 'css', 'a[href^="/sign-in?"]', 'optional'], // to use another than a remembered account
        ['text', 'name', 'identifier', username, 'optional'],
        ['text', 'name', 'password', password, 'optional'],
        ['click', 'name', 'submit', 'optional'],
      ],
    },
    {
      task: 'Sign in',
      match: `${origin}/sign-in?*`,
      optional: true,
      commands: [
        FILL_IN_PICTURE,
        ['text', 'name', 'identifier', username],
        ['text', 'name', 'password', password],
        ['click', 'name', 'submit'],
        ['wait', 'match', urlOutside(`${origin}/sign-in?`), 10],
      ],
    },
    {
      task: 'Consent',
      match: `${origin}/sign-in/consent*`,
      optional: true,
      commands: [
        ['click', 'css', button, 'optional'],
        ['wait', 'match', urlOutside(`${origin}/sign-in/consent`), 10],
      ],
    },
    { task: 'Back at the suite', match: callback, optional: true, commands: [COMPLETE] },
  ]

  const signOut = {
    match: `${issuer}/session/end*`,
    tasks: [
      {
        task: 'Sign out',
        match: `${issuer}/session/end*`,
        optional: true,
        commands: [['click', 'css', pageButtons.signOut, 'optional']],
      },
      {
        task: 'Signed out, or error page',
        match: `${issuer}/session/end*`,
        optional: true,
        commands: [FILL_IN_PICTURE],
      },
      {
        task: 'Back at the suite',
        match: `${suite}/test/a/${alias}/post_logout_redirect*`,
        optional: true,
        commands: [],
      },
    ],
  }
  if (!user) return { browser: [signOut] }

  const allow = { match: authorization, tasks: authorize(user, pageButtons.allow) }
  const deny = decliner && { match: authorization, tasks: authorize(decliner, pageButtons.deny) }
  return {
    browser: [allow, signOut],
    ...(deny && {
      override: {
        'fapi2-security-profile-final-user-rejects-authentication': { browser: [deny] },
        // This module opens the request twice. Nobody signs in the first time.
        'fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds': {
          browser: [{ match: authorization, 'match-limit': 1, tasks: [] }, allow],
        },
      },
    }),
  }
}

/** The buttons of our pages, as CSS selectors. `tests/journeys/applications/conformance.test.ts` presses them. */
const pageButtons = {
  // The page of a first party asks nothing and has only a button to go on.
  allow: 'button[value=allow], .form-late button',
  deny: 'button[value=deny]',
  // The page asks nothing if the request has an ID token of the session.
  signOut: 'button[name=logout], .form-late button',
}

/**
 * Returns a regular expression for every URL that does not begin like this one.
 *
 * @param {string} url
 */
const urlOutside = (url) => `^(?!${url.replaceAll(/[.?*+^$()[\]{}|\\]/g, '\\$&')})`

/** The step that gives the suite the page as a picture, if the module waits for one. A person reviews it later. */
const FILL_IN_PICTURE = ['wait', 'xpath', '//*', 10, '.*', 'update-image-placeholder-optional']

/** The step that waits up to 10 seconds until the suite's page has received the response. */
const COMPLETE = ['wait', 'id', 'submission_complete', 10]
