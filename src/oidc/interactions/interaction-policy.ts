import { interactionPolicy as policies } from 'oidc-provider'
import { type FactorSettings, needsAdministratorFactor } from '../access/administrator-factor.ts'
import { missingClaims } from '../access/claims.ts'
import { needsRecentSignIn } from '../access/resource-servers.ts'
import { consentDetails, consentEachTime, hasNewResource, isThirdParty } from '../applications/third-party.ts'
import { awaitsDeviceDecision, choosesAnotherAccount } from '../sessions/device-flow.ts'
import { needsStrongerSignIn, policyRequiresSignIn, refuseUnknownLevels } from './authentication-level.ts'
import { createNetworkPrompt, organizationRequiresSignIn } from './organization-policy.ts'
import { createOrganizationPrompt } from './organization-prompt.ts'

const { base, Check } = policies

/** Returns the library's prompts with our rules added (spec/provider#prompts). */
export function interactionPolicy(settings: FactorSettings) {
  const policy = base()

  const missingUser = new Check(
    'account_gone',
    'the account of this session no longer exists',
    'login_required',
    ({ oidc }) => {
      if (!oidc.session?.accountId || oidc.account) return Check.NO_NEED_TO_PROMPT
      // Without this check, the library would compare the next user who signs in with an account that no longer exists.
      Reflect.deleteProperty(oidc.session, 'accountId')
      return Check.REQUEST_PROMPT
    },
  )
  const recent = new Check(
    'recent_sign_in',
    'the requested resource requires a recent sign-in',
    'login_required',
    needsRecentSignIn,
  )
  const login = policy.get('login')
  login?.checks.add(missingUser, 0)
  login?.checks.add(recent)
  // The library's own checks require exactly the requested level. They would ask the user again and again if the
  // sign-in does not reach that level.
  login?.checks.remove('essential_acrs')
  login?.checks.remove('essential_acr')
  login?.checks.add(
    new Check('unknown_acr', 'no requested level is supported', 'login_required', ({ oidc }) =>
      refuseUnknownLevels(oidc),
    ),
    0,
  )
  login?.checks.add(
    new Check('weak_acr', 'the request requires a stronger sign-in', 'login_required', needsStrongerSignIn),
  )
  login?.checks.add(
    new Check(
      'undecided_policy',
      'the application requires a sign-in of its own',
      'login_required',
      policyRequiresSignIn,
    ),
  )
  login?.checks.add(
    new Check(
      'organization_policy',
      'the organization requires another sign-in',
      'login_required',
      organizationRequiresSignIn,
    ),
  )
  login?.checks.add(
    new Check(
      'administrator_factor',
      'administrators need a second factor',
      'login_required',
      needsAdministratorFactor(settings),
    ),
  )

  login?.checks.add(
    new Check(
      'other_account',
      'the user wants to use another account on the device',
      'login_required',
      choosesAnotherAccount,
    ),
  )

  policy.add(createOrganizationPrompt(), 1)
  policy.add(createNetworkPrompt(), policy.length - 1)

  const consent = policy.get('consent')
  const native = consent?.checks.get('native_client_prompt')
  if (consent && native) {
    consent.details = consentDetails
    consent.checks.remove('native_client_prompt')
    // The library would also ask for claims that a requested scope releases anyway.
    consent.checks.remove('op_claims_missing')
    consent.checks.add(
      new Check(
        'op_claims_missing',
        'requested claims not granted',
        'consent_required',
        (ctx) => missingClaims(ctx, ctx.oidc.grant).length > 0,
        (ctx) => ({ missingOIDCClaims: missingClaims(ctx, ctx.oidc.grant) }),
      ),
    )
    consent.checks.add(
      new Check(native.reason, native.description, 'interaction_required', (ctx) =>
        ctx.oidc.client && isThirdParty(ctx.oidc.client) ? native.check(ctx) : Check.NO_NEED_TO_PROMPT,
      ),
    )
    for (const { reason, description, applies } of consentEachTime)
      consent.checks.add(
        new Check(
          reason,
          description,
          'consent_required',
          ({ oidc }) => oidc.client !== undefined && applies(oidc.client) && !oidc.result?.consent,
        ),
      )
    consent.checks.add(
      new Check(
        'device_undecided',
        'the user has not decided about the device',
        'consent_required',
        awaitsDeviceDecision,
      ),
    )
    consent.checks.add(new Check('resources_missing', 'requested resources not granted', hasNewResource))
  }
  return policy
}
