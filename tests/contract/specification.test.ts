import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { applicationTypes } from '../../src/contract/applications/applications.ts'
import { formItemTypes } from '../../src/contract/connectors/connectors.ts'
import { errorCatalogue } from '../../src/contract/errors.ts'
import { SignInExperiencePatch } from '../../src/contract/experience/experience.schema.ts'
import { DEFAULT_EXPERIENCE, signInModes } from '../../src/contract/experience/experience.ts'
import { builtInLanguages } from '../../src/contract/experience/languages.ts'
import { interactionHookEvents } from '../../src/contract/hooks/hooks.ts'
import {
  CodeRequest,
  IdentifierPayloadSchema,
  ProfileSchema,
  SocialAuthorizationRequest,
} from '../../src/contract/interactions/identifiers.schema.ts'
import {
  identifierTypes,
  interactionEvents,
  PASSWORD_MIN_LENGTH,
} from '../../src/contract/interactions/identifiers.ts'
import { NavigationStateBody } from '../../src/contract/interactions/interaction.schema.ts'
import {
  ADMIN_ROLE,
  DEFAULT_TENANT,
  INITIAL_ROLES,
  MANAGEMENT_RESOURCE,
  MANAGEMENT_SCOPE,
  SERVICE_SCOPES,
} from '../../src/contract/product.ts'
import { TenantSettingsPatch } from '../../src/contract/tenants/settings.schema.ts'

/** Names, numbers and shapes that the original specification states. Each title quotes it. */

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('the original specification', () => {
  it('has the sign-in modes "SignIn, Register, SignInAndRegister"', () => {
    expect(signInModes).toEqual(['SignIn', 'Register', 'SignInAndRegister'])
  })

  it('has the interaction events "SignIn, Register, ForgotPassword"', () => {
    expect(interactionEvents).toEqual(['SignIn', 'Register', 'ForgotPassword'])
  })

  it('has the hook events "PostRegister, PostSignIn, PostResetPassword"', () => {
    expect(interactionHookEvents).toEqual(['PostRegister', 'PostSignIn', 'PostResetPassword'])
  })

  it('has the application types "Native, SPA, Traditional or MachineToMachine"', () => {
    expect(applicationTypes).toEqual(['Native', 'SPA', 'Traditional', 'MachineToMachine'])
  })

  it('has the form item types "Text, Number, MultilineText, Switch, Select, Json"', () => {
    expect(formItemTypes).toEqual(['Text', 'Number', 'MultilineText', 'Switch', 'Select', 'Json'])
  })

  it('has the identifier types "email, phone, username"', () => {
    expect([...identifierTypes].sort()).toEqual(['email', 'phone', 'username'])
  })

  it('has the built-in role "#internal:admin in tenant default"', () => {
    expect([ADMIN_ROLE.name, DEFAULT_TENANT]).toEqual(['#internal:admin', 'default'])
  })

  it('has the "Management API resource (id management-api) and its all-permissions scope named all"', () => {
    expect(MANAGEMENT_RESOURCE).toMatchObject({ id: 'management-api', name: 'Management API' })
    expect(MANAGEMENT_SCOPE.name).toBe('all')
  })

  it('has the role kinds "admin, user, tenantApplication"', () => {
    expect([ADMIN_ROLE.name, ...INITIAL_ROLES.map(({ name }) => name)]).toEqual([
      '#internal:admin',
      'user',
      'tenantApplication',
    ])
  })

  it('has the permission scopes "create:tenant, manage:tenant, send:sms, send:email"', () => {
    expect(SERVICE_SCOPES.map(({ name }) => name).sort()).toEqual(
      ['create:tenant', 'manage:tenant', 'send:sms', 'send:email'].sort(),
    )
  })

  it('has the languages "de, en, fr, ko, pt-PT, pt-BR, ru, tr-TR, zh-CN"', () => {
    const nine = ['de', 'en', 'fr', 'ko', 'pt-PT', 'pt-BR', 'ru', 'tr-TR', 'zh-CN'] as const
    expect(nine.filter((tag) => !builtInLanguages.includes(tag))).toEqual([])
  })

  it('has the "password minimum length 8"', () => {
    expect(PASSWORD_MIN_LENGTH).toBe(8)
  })

  it('has the "default primary colour #6139F6"', () => {
    expect(DEFAULT_EXPERIENCE.color.primaryColor).toBe('#6139F6')
  })

  it('has the default experience "username with password, SignInAndRegister, auto-detected language with fallback en, dark mode off"', () => {
    expect(DEFAULT_EXPERIENCE).toMatchObject({
      signIn: {
        methods: [
          { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
        ],
      },
      signUp: { identifiers: ['username'], password: true },
      signInMode: 'SignInAndRegister',
      languageInfo: { autoDetect: true, fallbackLanguage: 'en' },
      color: { isDarkModeEnabled: false },
    })
  })

  it('has fourteen connector error codes', () => {
    const codes =
      'general, invalid_metadata, unexpected_type, invalid_config_guard, invalid_request_parameters, insufficient_request_parameters, invalid_config, invalid_response, template_not_found, not_implemented, social_auth_code_invalid, social_invalid_access_token, social_invalid_id_token, authorization_failed'
        .split(', ')
        .map((code) => `connector.${code}`)
    expect(codes).toHaveLength(14)
    expect(codes.filter((code) => !Object.hasOwn(errorCatalogue, code))).toEqual([])
  })
})

describe('a payload of the original specification', () => {
  it.each([
    { username: 'ada', password: 'x' },
    { email: 'ada@example.com', password: 'x' },
    { phone: '16502530000', password: 'x' },
    { email: 'ada@example.com', verificationCode: '123456' },
    { phone: '16502530000', verificationCode: '123456' },
    { connectorId: 'github', connectorData: { redirectUri: 'https://id.example.com', code: 'x' } },
    { connectorId: 'github', email: 'ada@example.com' },
    { connectorId: 'github', phone: '16502530000' },
  ])('identifies a user: %o', (payload) => {
    expect(IdentifierPayloadSchema.parse(payload)).toEqual(payload)
  })

  it.each([
    { username: 'ada', password: '' },
    { username: '', password: 'x' },
    { email: '', password: 'x' },
    { phone: '16502530000', password: '' },
  ])('has a name and a password, "both non-empty, likewise with e-mail or phone": not %o', (payload) => {
    expect(accepts(IdentifierPayloadSchema, payload)).toBe(false)
  })

  it('has a "verification code on the wire" that is "a non-empty string"', () => {
    const email = 'ada@example.com'
    expect(accepts(IdentifierPayloadSchema, { email, verificationCode: '1' })).toBe(true)
    expect(accepts(IdentifierPayloadSchema, { email, verificationCode: '' })).toBe(false)
  })

  it('has a "social sign-in payload: connectorId and connectorData; binding: connectorId plus e-mail or phone"', () => {
    expect(accepts(IdentifierPayloadSchema, { connectorId: 'github' })).toBe(false)
    expect(accepts(IdentifierPayloadSchema, { connectorData: {} })).toBe(false)
    const request = { connectorId: 'github', state: 's', redirectUri: 'https://id.example.com/callback' }
    expect(SocialAuthorizationRequest.parse(request)).toEqual(request)
  })

  it('has the "profile fields: username, password, email, phone, connectorId"', () => {
    expect(Object.keys(ProfileSchema.shape).sort()).toEqual(
      ['username', 'password', 'email', 'phone', 'connectorId'].sort(),
    )
  })

  it('asks for a code with "{email} or {phone}"', () => {
    expect(accepts(CodeRequest, { email: 'ada@example.com' })).toBe(true)
    expect(accepts(CodeRequest, { phone: '16502530000' })).toBe(true)
    expect(accepts(CodeRequest, { username: 'ada' })).toBe(false)
  })

  it.each([
    { identifier: { type: 'email', value: 'ada@example.com' } },
    { registeredSocialIdentity: { email: 'ada@example.com', phone: '16502530000' } },
    { relatedUser: { type: 'phone', value: '16502530000' } },
  ])('is a navigation state: %o', (navigation) => {
    expect(NavigationStateBody.parse(navigation)).toEqual(navigation)
  })
})

describe('a setting of the original specification', () => {
  it.each(['#fff', '#6139F6'])('is a colour of "hash then 3 or 6 hex digits": %s', (primaryColor) => {
    const color = { primaryColor, isDarkModeEnabled: false, darkPrimaryColor: '#000' }
    expect(accepts(SignInExperiencePatch, { color })).toBe(true)
  })

  it.each(['#ffff', 'fff', '#ggg', '#1234567', ''])('is no colour: "%s"', (primaryColor) => {
    const color = { primaryColor, isDarkModeEnabled: false, darkPrimaryColor: '#000' }
    expect(accepts(SignInExperiencePatch, { color })).toBe(false)
  })

  it('is a demo social list: "name, logo, logoDark, provider (google, github or discord), clientId"', () => {
    const demo = {
      name: 'A',
      logo: 'https://a.example/l.svg',
      logoDark: 'https://a.example/d.svg',
      clientId: 'x',
    }
    for (const provider of ['google', 'github', 'discord'])
      expect(accepts(TenantSettingsPatch, { demoSocial: [{ ...demo, provider }] })).toBe(true)
    expect(accepts(TenantSettingsPatch, { demoSocial: [{ ...demo, provider: 'facebook' }] })).toBe(false)
  })
})
