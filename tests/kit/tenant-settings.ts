import type { AccountFieldPolicies } from '../../src/contract/account/account-fields.ts'
import type { SignInMethod, SignInMode, SignUp } from '../../src/contract/experience/experience.ts'
import type { TenantSettings } from '../../src/contract/tenants/settings.ts'
import type { TestApp } from './test-app.ts'

/**
 * The settings of the sign-in experience to apply. An app caches settings for some seconds, so open the app
 * afterwards.
 */
export type WantedExperience = {
  methods?: SignInMethod[]
  signUp?: SignUp
  signInMode?: SignInMode
}

const columns = { methods: 'sign_in', signUp: 'sign_up', signInMode: 'sign_in_mode' } as const

/** Changes settings directly in the database, because tests also need settings that the API would reject. */
export async function setExperience(app: TestApp, experience: WantedExperience): Promise<void> {
  for (const name of ['methods', 'signUp', 'signInMode'] as const) {
    const value = experience[name]
    if (value === undefined) continue
    const stored =
      typeof value === 'string' ? value : JSON.stringify(name === 'methods' ? { methods: value } : value)
    await app.env.DB.prepare(`update sign_in_experiences set ${columns[name]} = ? where tenant_id = ?`)
      .bind(stored, 'default')
      .run()
  }
}

/** Tenant settings, including formats that only earlier versions stored. */
type StoredSettings = Omit<Partial<TenantSettings>, 'accountCentre' | 'passkeys' | 'secondFactor'> & {
  accountCentre?: {
    enabled: boolean
    fields?: Partial<AccountFieldPolicies>
    customFields?: TenantSettings['accountCentre']['customFields']
    deletionGraceDays?: number
  }
  passkeys?: Partial<TenantSettings['passkeys']>
  secondFactor?: Pick<TenantSettings['secondFactor'], 'policy'> & Partial<TenantSettings['secondFactor']>
}

export async function setTenantSettings(app: TestApp, settings: StoredSettings): Promise<void> {
  await app.env.DB.prepare(
    `insert into configs (tenant_id, key, value) values ('default', 'settings', ?)
     on conflict do update set value = excluded.value`,
  )
    .bind(JSON.stringify(settings))
    .run()
}

const both = { password: true, verificationCode: true, isPasswordPrimary: true }

/** Every sign-in method except social ones. */
export const everyMethod: SignInMethod[] = [
  { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
  { identifier: 'email', ...both },
  { identifier: 'phone', ...both },
]
