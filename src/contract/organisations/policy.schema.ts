import { z } from 'zod'
import { MAX_OFFLINE_SECONDS } from '../applications/applications.ts'
import { ImageAddress } from '../experience/experience.schema.ts'
import { addedSecondFactorPolicies } from '../tenants/settings.ts'
import { MINUTE_SECONDS } from '../time.ts'
import { canonicalNetwork, MAX_NETWORK_LENGTH, MAX_NETWORKS } from './networks.ts'
import {
  type OrganizationBrand,
  type OrganizationPolicy,
  type OrganizationRules,
  organizationMethods,
} from './organizations.ts'

/** The policy and the brand of an organisation (spec/organisations#policy, #brand). */

/** Shorter times would interrupt members while they sign in. */
const MIN_ORGANIZATION_SESSION_SECONDS = 5 * MINUTE_SECONDS
/** Nothing outlives a refresh token. */
const MAX_ORGANIZATION_SESSION_SECONDS = MAX_OFFLINE_SECONDS

const Methods = z.array(z.enum(organizationMethods))
const SecondFactor = z.enum(addedSecondFactorPolicies)
const SessionSeconds = z.int().min(MIN_ORGANIZATION_SESSION_SECONDS).max(MAX_ORGANIZATION_SESSION_SECONDS)
const Network = z
  .string()
  .max(MAX_NETWORK_LENGTH)
  .refine(
    (text) => canonicalNetwork(text) !== null,
    'must be a network such as 203.0.113.0/24 or 2001:db8::/32',
  )
  .overwrite((text) => canonicalNetwork(text) ?? text)
const BrandColor = z.string().regex(/^#[\da-fA-F]{6}$/, 'must be a color such as #5d34f2')

const withoutRepetitions = <T>(values: T[]): T[] => [...new Set(values)]

/** The policy as the API returns it. */
export const OrganizationPolicySchema = z
  .object({
    methods: Methods.optional(),
    secondFactor: SecondFactor.optional(),
    sessionMaxAgeSeconds: z.int().optional(),
    networks: z.array(z.string()).optional(),
  })
  .meta({ id: 'OrganizationPolicy' }) satisfies z.ZodType<OrganizationPolicy>

/** The policy as requests contain it. It replaces the stored policy as a whole. */
export const OrganizationPolicyInput = z
  .strictObject({
    methods: Methods.max(organizationMethods.length).overwrite(withoutRepetitions).optional(),
    secondFactor: SecondFactor.optional(),
    sessionMaxAgeSeconds: SessionSeconds.optional(),
    networks: z.array(Network).max(MAX_NETWORKS).overwrite(withoutRepetitions).optional(),
  })
  .meta({ id: 'OrganizationPolicyInput' }) satisfies z.ZodType<OrganizationPolicy>

/** The brand as the API returns it. */
export const OrganizationBrandSchema = z
  .object({
    logo: z.string().optional(),
    logoDark: z.string().optional(),
    color: z.string().optional(),
    isPublic: z.boolean().optional(),
  })
  .meta({ id: 'OrganizationBrand' }) satisfies z.ZodType<OrganizationBrand>

/** The brand as requests contain it. It replaces the stored brand as a whole. */
export const OrganizationBrandInput = z
  .strictObject({
    logo: ImageAddress.optional(),
    logoDark: ImageAddress.optional(),
    color: BrandColor.optional(),
    isPublic: z.boolean().optional(),
  })
  .meta({ id: 'OrganizationBrandInput' }) satisfies z.ZodType<OrganizationBrand>

/** The rules of a policy that cannot be read: nobody meets them until an operator saves the policy again. */
const nothingAllowed = () => ({
  methods: [],
  secondFactor: 'required' as const,
  sessionMaxAgeSeconds: MIN_ORGANIZATION_SESSION_SECONDS,
  networks: [],
})

/** Leaves out values that this version of the Worker does not know. If none remains, nothing is allowed. */
const listOf = <T>(schema: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .nullish()
    .transform((values) =>
      values && values.length > 0 ? values.flatMap((value) => schema.safeParse(value).data ?? []) : null,
    )
    .catch(() => [])

const StoredPolicy = z
  .object({
    methods: listOf(z.enum(organizationMethods)),
    secondFactor: SecondFactor.nullish()
      .transform((policy) => policy ?? null)
      .catch('required'),
    sessionMaxAgeSeconds: z
      .number()
      .positive()
      .nullish()
      .transform((seconds) => seconds ?? null)
      .catch(MIN_ORGANIZATION_SESSION_SECONDS),
    networks: listOf(z.string()),
  })
  .catch(nothingAllowed)

/** Reads a stored policy. A value that this version of the Worker cannot parse becomes the strictest one. */
export const readOrganizationPolicy = (policy: unknown): OrganizationRules => StoredPolicy.parse(policy)

const StoredBrand = z
  .object({
    logo: z.string().optional().catch(undefined),
    logoDark: z.string().optional().catch(undefined),
    color: BrandColor.optional().catch(undefined),
    isPublic: z.boolean().optional().catch(false),
  })
  .catch(() => ({}))

/** Reads a stored brand. Values that cannot be parsed are left out, and pages before the sign-in do not show it. */
export const readOrganizationBrand = (brand: unknown): OrganizationBrand => StoredBrand.parse(brand)
