import { z } from 'zod'
import { ResourceCreation, ScopeBody } from '../../src/contract/access/resources.schema.ts'
import { RoleCreation } from '../../src/contract/access/roles.schema.ts'
import { ApplicationCreation } from '../../src/contract/applications/applications.schema.ts'
import { ClaimsField } from '../../src/contract/applications/claim-template.schema.ts'
import { ConnectorCreation } from '../../src/contract/connectors/connectors.schema.ts'
import { LanguageTag, Translation } from '../../src/contract/experience/custom-phrases.schema.ts'
import { SignInExperiencePatch } from '../../src/contract/experience/experience.schema.ts'
import { HookSettings } from '../../src/contract/hooks/hooks.schema.ts'
import { OWNER_ROLE } from '../../src/contract/organisations/organizations.ts'
import {
  OrganizationRoleCreation,
  OrganizationScopeCreation,
} from '../../src/contract/organisations/template.schema.ts'
import { TenantSettingsPatch } from '../../src/contract/tenants/settings.schema.ts'
import { CustomId } from '../../src/contract/text.schema.ts'
import { isInternalRole } from '../../src/domain/access/administration.ts'
import { findTemplateProblems, type TemplateOwner } from '../../src/domain/applications/claim-template.ts'
import { cleanPhrases } from '../../src/domain/experience/phrases.ts'
import { isBuiltInResource } from './built-in.ts'

/**
 * The format of a settings file: the request bodies of the management API, keyed by ids that the operator chooses
 * (ADR-0018).
 */

/** A scope name contains no spaces, because spaces separate scopes (RFC 6749 §3.3). */
const ScopeName = ScopeBody.shape.name.min(1).regex(/^\S+$/, 'has a space')

/** A template of claims, which is checked before anything is applied. */
const claimsOf = (owner: TemplateOwner) =>
  ClaimsField.superRefine((template, context) => {
    for (const { path, message } of findTemplateProblems(template, owner))
      context.addIssue({ code: 'custom', path: path.slice(1), message })
  }).default(null)

const Resource = ResourceCreation.omit({ id: true }).extend({
  claims: claimsOf('resource'),
  /** The descriptions of the scopes, by scope name. */
  scopes: z.record(ScopeName, ScopeBody.shape.description).default({}),
})

const Role = RoleCreation.omit({ id: true, scopeIds: true }).extend({
  secondFactorPolicy: RoleCreation.shape.secondFactorPolicy.unwrap().default(null),
  rememberDays: RoleCreation.shape.rememberDays.unwrap().default(null),
  name: RoleCreation.shape.name.refine((name) => !isInternalRole(name), 'is the name of a built-in role'),
  /** The scope names, by the id of their resource. */
  scopes: z.record(z.string(), z.array(ScopeName)).default({}),
  /** The ids of the applications that have the role. They get its scopes with the client credentials grant. */
  applications: z.array(z.string()).default([]),
})

const OrganizationRoles = z
  .record(
    CustomId,
    OrganizationRoleCreation.omit({ id: true }).extend({
      /** Required for every role except that of owners. */
      name: OrganizationRoleCreation.shape.name.optional(),
      /** The names of organisation scopes. */
      scopes: z.array(OrganizationScopeCreation.shape.name).default([]),
      /** The names of the scopes of API resources, by the id of the resource. */
      resourceScopes: z.record(z.string(), z.array(ScopeName)).default({}),
    }),
  )
  .superRefine((roles, context) => {
    for (const [id, role] of Object.entries(roles)) {
      const problem = (name: string, message: string) =>
        context.addIssue({ code: 'custom', path: [id, name], message })
      if (id !== OWNER_ROLE.id && role.name === undefined) problem('name', 'is required')
      if (id !== OWNER_ROLE.id) continue
      for (const name of ['name', 'description', 'permissions'] as const)
        if (role[name] !== undefined) problem(name, 'belongs to the built-in role of owners')
    }
  })

const Application = ApplicationCreation.omit({ id: true }).extend({
  description: ApplicationCreation.shape.description.unwrap().default(null),
  secondFactorPolicy: ApplicationCreation.shape.secondFactorPolicy.unwrap().default(null),
  rememberDays: ApplicationCreation.shape.rememberDays.unwrap().default(null),
  claims: claimsOf('application'),
  /** True if the application may use the management API. */
  isAdmin: z.boolean().default(false),
})

const Connector = ConnectorCreation.omit({ id: true }).extend({
  config: ConnectorCreation.shape.config.unwrap().default({}),
  metadata: ConnectorCreation.shape.metadata.unwrap().default({}),
  syncProfile: z.boolean().default(false),
})

const ResourceId = CustomId.refine((id) => !isBuiltInResource(id), 'belongs to a built-in resource')
const ApplicationId = ApplicationCreation.shape.id.unwrap()
const ConnectorId = ConnectorCreation.shape.id.unwrap()

/**
 * The schema of a settings file. If a section is missing, it is not changed. If it is present, it is complete: objects
 * that it does not contain are deleted.
 */
export const SettingsFile = z
  .object({
    /** Missing columns stay unchanged. */
    experience: SignInExperiencePatch,
    /** Missing settings stay unchanged. */
    settings: TenantSettingsPatch,
    connectors: z.record(ConnectorId, Connector),
    resources: z.record(ResourceId, Resource),
    roles: z.record(CustomId, Role),
    applications: z.record(ApplicationId, Application),
    hooks: z.record(CustomId, HookSettings),
    /** The descriptions of the scopes, by scope name. */
    organizationScopes: z.record(
      OrganizationScopeCreation.shape.name,
      OrganizationScopeCreation.shape.description.unwrap(),
    ),
    organizationRoles: OrganizationRoles,
    phrases: z.record(
      LanguageTag,
      Translation.transform((phrases) => cleanPhrases(phrases)),
    ),
  })
  .partial()

export type SettingsFile = z.output<typeof SettingsFile>

/** A reference to an environment variable whose value replaces the reference. */
export type SecretReference = { env: string }

type WithSecrets<T> = string extends T
  ? T | SecretReference
  : T extends (infer Item)[]
    ? WithSecrets<Item>[]
    : T extends object
      ? { [Key in keyof T]: WithSecrets<T[Key]> }
      : T

type Written = z.input<typeof SettingsFile>

export type ConfigInput = {
  [Section in keyof Written]: Section extends 'phrases' ? Written[Section] : WithSecrets<Written[Section]>
}
