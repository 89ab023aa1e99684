import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { findExperience, patchSignInExperience } from '../../../application/experience/change.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  SignInExperiencePatch,
  SignInExperienceSchema,
} from '../../../contract/experience/experience.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { isProtectedExperienceChange } from '../../../domain/access/protected-changes.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { ifMatchHeaders, readPreconditions, withEtag } from '../conflicts.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'
import { isTrueParameter } from '../search.ts'

const declareCall = createManagementCallDeclarer('Sign-in experience')

const experienceResponse = {
  200: jsonResponse('The sign-in experience', SignInExperienceSchema.meta({ id: 'SignInExperience' })),
}

const getCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'getSignInExperience',
  summary: 'Get the sign-in experience',
  description:
    'Returns how the sign-in pages of the tenant look and what they offer: colors, branding, layout, ' +
    'languages, sign-in and sign-up methods, social providers, terms and custom content.',
  responses: experienceResponse,
  refusals: [404],
})
const patchCall = declareCall({
  method: 'patch',
  path: '/',
  operationId: 'updateSignInExperience',
  summary: 'Change the sign-in experience',
  description:
    'Replaces the given fields, each as a whole; pages show the change within five seconds. Combinations ' +
    'with which no user could sign in are rejected with 400 `sign_in_experiences.*`, for example a ' +
    'verification code without a connector. A social target that no connector has and a picture that the ' +
    'content security policy of the pages blocks are rejected with 422 `guard.invalid_input`. ' +
    describeRecentSignIn(
      'changes `signIn`, `signUp`, `signInMode`, `socialSignInConnectorTargets`, `customCss` or `customContent`',
    ),
  request: {
    headers: ifMatchHeaders,
    query: z.object({
      removeUnusedDemoSocialConnector: storableText(8).optional().meta({
        description: 'With `true`, demo connectors that are no longer offered are removed from the settings',
      }),
    }),
    body: jsonBody(SignInExperiencePatch),
  },
  responses: experienceResponse,
  refusals: [404, 412, 422],
})

export function signInExperienceRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard)
    .openapi(getCall, async (c) => {
      const experience = await findExperience(dependencies, c.var.tenantId)
      return c.json(await withEtag(c, experience), 200)
    })
    .openapi(patchCall, async (c) => {
      const patch = c.req.valid('json')
      const removesDemos = isTrueParameter(c.req.valid('query').removeUnusedDemoSocialConnector)
      const { tenantId } = c.var
      if (isProtectedExperienceChange(patch)) await requireOperatorStepUp(dependencies, c.var)
      const find = () => findExperience(dependencies, tenantId)
      const preconditions = await readPreconditions(dependencies, c, {
        subject: 'SignInExperience',
        id: tenantId,
        find,
      })
      const changed = await patchSignInExperience(dependencies, {
        tenantId,
        patch,
        removesDemos,
        preconditions,
        beginAudit: () => beginManagementAudit(c, 'Management.SignInExperience.Update', {}, patch),
      })
      return c.json(await withEtag(c, changed), 200)
    })
}
