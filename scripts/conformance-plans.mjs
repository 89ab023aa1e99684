/**
 * The certification plans of the OpenID conformance suite for the profiles that this provider supports
 * (docs/development/conformance.md#openid).
 *
 * @typedef {{ client_id: string, client_secret?: string, jwks?: object }} Client
 * @typedef {object} Deployment what a plan needs to know about the deployment under test
 * @property {string} issuer
 * @property {string} alias the alias of the tests, which is part of their redirect URIs: `{suite}/test/a/{alias}/callback`
 * @property {{ username: string, password: string }} user
 * @property {Client} client
 * @property {Client} client2
 */

const registered = { server_metadata: 'discovery', client_registration: 'static_client' }
const logout = { client_registration: 'static_client', response_type: 'code' }

/**
 * The plans, keyed by the name that the command accepts.
 *
 * @satisfies {Record<string, { name: string, variant: Record<string, string> }>}
 */
export const plans = {
  config: { name: 'oidcc-config-certification-test-plan', variant: {} },
  basic: { name: 'oidcc-basic-certification-test-plan', variant: registered },
  'form-post': { name: 'oidcc-formpost-basic-certification-test-plan', variant: registered },
  'rp-initiated-logout': { name: 'oidcc-rp-initiated-logout-certification-test-plan', variant: logout },
  'back-channel-logout': {
    name: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    variant: logout,
  },
  fapi2: {
    name: 'fapi2-security-profile-final-test-plan',
    variant: {
      client_auth_type: 'private_key_jwt',
      sender_constrain: 'dpop',
      openid: 'openid_connect',
      fapi_profile: 'plain_fapi',
    },
  },
}

/** Returns the configuration of a plan. @param {Deployment} deployment */
export function createPlanConfiguration({ issuer, alias, user, client, client2 }) {
  const scope = 'openid profile email address phone offline_access'
  return {
    alias,
    description: `Vestibule at ${issuer}`,
    server: { discoveryUrl: `${issuer}/.well-known/openid-configuration` },
    client: { ...client, scope },
    client2: { ...client2, scope },
    client_secret_post: client,
    resource: { resourceUrl: `${issuer}/me` },
    browser: browserTasks(issuer, user),
  }
}

/** Returns the steps that the suite's browser takes on our pages. Their forms work without JavaScript. */
const browserTasks = (
  /** @type {string} */ issuer,
  /** @type {Deployment['user']} */ { username, password },
) => {
  const { origin } = new URL(issuer)
  const completed = {
    task: 'Back at the suite',
    match: '*/test/*/callback*',
    optional: true,
    commands: [COMPLETE],
  }
  return [
    {
      match: `${issuer}/auth*`,
      tasks: [
        {
          task: 'Sign in',
          match: `${origin}/sign-in?*`,
          optional: true,
          commands: [
            ['text', 'name', 'identifier', username],
            ['text', 'name', 'password', password],
            ['click', 'name', 'submit'],
          ],
        },
        {
          task: 'Consent',
          match: `${origin}/sign-in/consent*`,
          optional: true,
          commands: [['click', 'css', 'button[value=allow]']],
        },
        completed,
      ],
    },
    {
      match: `${issuer}/session/end*`,
      tasks: [
        {
          task: 'Sign out',
          match: `${issuer}/session/end*`,
          optional: true,
          commands: [['click', 'css', 'button[name=logout]']],
        },
        { ...completed, match: '*/test/*/post_logout_redirect*' },
      ],
    },
  ]
}

/** The step that waits up to 10 seconds until the suite's page has received the response. */
const COMPLETE = ['wait', 'id', 'submission_complete', 10]
