import { type ClaimTemplate, MAX_CLAIMS_BYTES } from '../../contract/applications/claim-template.ts'
import type { MetadataProblem } from './application-rules.ts'
import { findClaimPathProblem, isClaimPath } from './claim-paths.ts'
import { claimsByScope } from './claims.ts'

/** Decides which templates of claims can be stored (spec/provider#claim-templates). */

export type TemplateOwner = 'application' | 'resource'

/**
 * The names of the claims that our tokens contain anyway, and of registered claims whose meaning a template must not
 * change. An API could not distinguish a claim of a template from the provider's own.
 */
const reserved = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'nonce', 'acr', 'amr', 'auth_time', 'azp'],
  ...['scope', 'client_id', 'cnf', 'act', 'may_act', 'org_id', 'events', 'sid'],
  ...['at_hash', 'c_hash', 's_hash', 'grant_id', 'authorization_details'],
  ...Object.values(claimsByScope).flat(),
])

/**
 * Some JSON libraries, such as Go's, ignore case when they match names to fields. They would read a claim named `Sub`
 * instead of `sub`. The normalization covers letters that such libraries also fold, such as the long s.
 */
const foldCase = (name: string): string => name.normalize('NFKC').toLowerCase()

/** The beginning of the two members that refer to claims at other servers (OIDC Core §5.6.2). */
const DISTRIBUTED_CLAIMS = /^_claim_/

/**
 * Access tokens have no `permissions` of their own, because their scopes are in `scope`. A resource may repeat the
 * scopes under this name for an API that expects a list.
 */
const isReserved = (name: string, value: unknown, owner: TemplateOwner): boolean =>
  DISTRIBUTED_CLAIMS.test(foldCase(name)) ||
  (reserved.has(foldCase(name)) && !(owner === 'resource' && name === 'permissions' && value === '$.scopes'))

/**
 * A name without white space and without characters that are invisible or change the direction of the text, because
 * the consent page shows it.
 */
const NAME = /^[^\s\p{C}]{1,64}$/u

/** Names that every object inherits. No claim or property has such a name. */
const inheritedNames = new Set(['__proto__', 'constructor', 'prototype'])

/** The deepest nesting of lists and objects inside a claim. Its message repeats the number. */
const MAX_DEPTH = 5

/** Returns what is wrong with a template, each problem with the path of the value in the body. */
export function findTemplateProblems(
  template: ClaimTemplate | null | undefined,
  owner: TemplateOwner,
): MetadataProblem[] {
  if (!template) return []
  const problems = Object.entries(template).flatMap(([name, value]) => {
    const message = findNameProblem(name, value, owner) ?? findValueProblem(value, 0)
    return message === null ? [] : [{ path: ['claims', name], message }]
  })
  if (problems.length > 0 || countBytes(template) <= MAX_CLAIMS_BYTES) return problems
  return [{ path: ['claims'], message: 'must have at most 2,048 bytes as JSON' }]
}

/** Returns the size of a template or of claims as JSON in UTF-8. */
export const countBytes = (claims: object): number => new TextEncoder().encode(JSON.stringify(claims)).length

function findNameProblem(name: string, value: unknown, owner: TemplateOwner): string | null {
  if (isReserved(name, value, owner)) return 'is reserved, because tokens have a claim of this name already'
  return inheritedNames.has(name) || !NAME.test(name)
    ? 'must have a name of 1 to 64 visible characters without white space, and no name that objects inherit'
    : null
}

function findValueProblem(value: unknown, depth: number): string | null {
  switch (typeof value) {
    case 'boolean':
      return null
    case 'number':
      return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
        ? 'contains a number that JSON programs cannot represent exactly'
        : null
    case 'string': {
      const problem = isClaimPath(value) ? findClaimPathProblem(value) : null
      return problem ?? (isStorable(value) ? null : 'contains characters that cannot be stored')
    }
    case 'object':
      return value === null ? null : findNestedProblem(value, depth + 1)
    default:
      return 'is not a JSON value'
  }
}

function findNestedProblem(value: object, depth: number): string | null {
  if (depth > MAX_DEPTH) return 'must not be nested more than 5 levels deep'
  for (const [key, item] of Object.entries(value)) {
    if (inheritedNames.has(key)) return 'contains a property with a name that objects inherit'
    if (!isStorable(key)) return 'contains characters that cannot be stored'
    const problem = findValueProblem(item, depth)
    if (problem !== null) return problem
  }
  return null
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
