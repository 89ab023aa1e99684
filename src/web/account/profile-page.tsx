import type { CustomFieldValue } from '../../../client/account/profile/custom-fields.tsx'
import { Profile } from '../../../client/account/profile/profile.tsx'
import {
  addressParts,
  OWN_GENDER,
  OWN_GENDER_FIELD,
  type ProfileGroup,
  type ProfileValues,
  profileClaims,
  profileFields,
  profileGroups,
} from '../../../client/account/profile/profile-fields.ts'
import { createTranslator } from '../../../client/context/phrases.ts'
import { requireEditableChanges } from '../../application/account/account-fields.ts'
import { changeOwnProfile } from '../../application/account/profile.ts'
import { AccountPatch } from '../../contract/account/account.schema.ts'
import { loadAccountPhrases } from '../../contract/account/account-catalogue.ts'
import {
  CUSTOM_FIELD_PREFIX,
  type CustomField,
  type FieldValue,
} from '../../contract/account/custom-fields.ts'
import { LANGUAGE_PARAM } from '../../contract/experience/languages.ts'
import { refuseWith } from '../../contract/refused.ts'
import { fitsCustomData } from '../../contract/users/users.schema.ts'
import { joinBirthdate } from '../../domain/account/birthdate.ts'
import {
  fieldName,
  findFieldValueProblem,
  formatFieldValue,
  localizedText,
  parseFieldInput,
} from '../../domain/account/custom-fields.ts'
import { findUsernameProblem } from '../../domain/users/username-rules.ts'
import type { UserRow } from '../../storage/users/users.ts'
import type { AccountPage, FormResult, PageView } from './page.ts'
import { hasPicturePage } from './picture-page.tsx'
import { FieldProblem } from './problem.ts'
import type { OpenSubmission } from './submission.ts'

export const profilePage: AccountPage = {
  async show({ dependencies, tenantId, url, readUser }, { typed, fields: policies }) {
    const signedIn = await readUser()
    const { user } = signedIn
    const { signIn } = await dependencies.experience.get(tenantId)
    // If the tenant does not use usernames, only users who already have one see the username field.
    const hasUsername =
      user.username !== null || signIn.methods.some(({ identifier }) => identifier === 'username')
    const hasPicture = await hasPicturePage(dependencies, { tenantId, user, policies })
    const { customFields } = (await dependencies.tenantSettings.get(tenantId)).accountCentre
    const body = (
      <Profile
        values={profileValues(user)}
        fields={customFields.map(
          (field): CustomFieldValue => ({ field, value: formatFieldValue(field, user.customData) }),
        )}
        avatar={user.avatar}
        hasUsername={hasUsername}
        hasPicture={hasPicture}
        edited={findEditedGroup(url, typed)}
        now={dependencies.now()}
      />
    )
    return { title: 'profile', signedIn, body }
  },
  actions: { save: saveProfile },
}

/** Returns the group in the URL, or else the group of the submitted fields, as after a fresh proof. */
function findEditedGroup({ searchParams }: URL, typed: PageView['typed']): ProfileGroup | null {
  const isTyped = (group: ProfileGroup): boolean => {
    const prefixes = profileFields.filter((field) => field.group === group).map(({ name }) => `${name}.`)
    if (group === 'custom') prefixes.push(CUSTOM_FIELD_PREFIX)
    return Object.keys(typed).some((name) => prefixes.some((prefix) => `${name}.`.startsWith(prefix)))
  }
  const requested = searchParams.get('edit')
  return profileGroups.find((group) => group === requested) ?? profileGroups.find(isTyped) ?? null
}

/** Returns the initial values of the profile form. Fields that are not set are empty strings. */
function profileValues({ name, username, profile }: UserRow): ProfileValues {
  const claims = profileClaims.map((claim) => [claim, profile[claim] ?? ''])
  const address = addressParts.map((part) => [`address.${part}`, profile.address?.[part] ?? ''])
  return { name: name ?? '', username: username ?? '', ...Object.fromEntries([...claims, ...address]) }
}

/** Saves the fields whose values have changed (spec/account-centre#profile). */
async function saveProfile(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, tenantId, signedIn, form, beginChange } = submission
  const currentValues: Record<string, string> = profileValues(signedIn.user)
  const texts = Object.fromEntries(
    [...readProfileForm(form)].filter(
      ([name, value]) => Object.hasOwn(currentValues, name) && currentValues[name] !== value,
    ),
  )
  const custom = await customChanges(submission)
  const changed = [...Object.keys(texts), ...custom.names]
  if (changed.length === 0) return { message: 'saved' }

  const standard = await standardChanges(submission, texts)
  await requireEditableChanges(dependencies, tenantId, standard)
  const changes = { ...standard, ...custom.values }
  const change = beginChange('Account.Profile.Update', { changed })
  await changeOwnProfile(dependencies, { ...change, changes })
  const { locale } = standard.profile ?? {}
  return {
    message: 'saved',
    // From now on, pages are shown in the new language.
    ...(locale && { to: `/account/profile?${new URLSearchParams({ [LANGUAGE_PARAM]: locale })}` }),
  }
}

/** Returns the values of the form, in which some fields consist of several inputs. */
function readProfileForm(form: URLSearchParams): Map<string, string> {
  const values = new Map([...form].map(([name, value]) => [name, value.trim()]))
  const part = (name: string) => values.get(`birthdate.${name}`) ?? ''
  if (values.has('birthdate.year'))
    values.set('birthdate', joinBirthdate({ day: part('day'), month: part('month'), year: part('year') }))
  if (values.get('gender') === OWN_GENDER) values.set('gender', values.get(OWN_GENDER_FIELD) ?? '')
  return values
}

/** Returns the changes to custom fields, and the fields' names in the form (spec/account-centre#custom-fields). */
async function customChanges(
  submission: OpenSubmission,
): Promise<{ names: string[]; values: { customFields?: Record<string, FieldValue> } }> {
  const { dependencies, tenantId, signedIn, form } = submission
  const { customData } = signedIn.user
  const { customFields } = (await dependencies.tenantSettings.get(tenantId)).accountCentre
  const changes: Record<string, FieldValue> = {}
  for (const field of customFields) {
    const text = form.getAll(fieldName(field)).at(-1)?.trim()
    if (text === undefined) continue
    const isUnchanged = text === formatFieldValue(field, customData)
    if (isUnchanged && !(text === '' && field.required)) continue
    if (field.access !== 'edit') return refuseWith('user.field_not_editable', { field: field.key })
    changes[field.key] = await customValue(submission, field, text)
  }
  const names = Object.keys(changes).map((key) => fieldName({ key }))
  // Users must be able to change other fields even if concurrent changes have already made the custom data too large.
  if (names.length === 0) return { names, values: {} }
  if (!fitsCustomData({ ...customData, ...changes })) return refuseWith('guard.invalid_input', undefined, 413)
  return { names, values: { customFields: changes } }
}

async function customValue({ boot }: OpenSubmission, field: CustomField, text: string): Promise<FieldValue> {
  const value = parseFieldInput(field, text)
  const fault = value === undefined ? 'invalid' : findFieldValueProblem(field, value)
  if (value !== undefined && !fault) return value
  const page = await boot()
  const types = [localizedText(field.label, page.language)]
  const phrase = fault === 'missing' ? 'error.general_required' : 'error.general_invalid'
  throw new FieldProblem(fieldName(field), createTranslator(page)(phrase, { types }))
}

/**
 * Returns the standard claims that the user has filled in, in the format of the account API. Problems are shown
 * next to their fields.
 */
async function standardChanges({ boot }: OpenSubmission, texts: Record<string, string>) {
  const { name, username, ...claims } = texts
  const problem = username === undefined ? null : findUsernameProblem(username)
  if (problem) throw new FieldProblem('username', createTranslator(await boot())(`error.${problem}`))
  const address: Record<string, string> = {}
  const profile: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(claims)) {
    const [outer, part] = key.split('.')
    if (outer === 'address' && part) address[part] = value
    else profile[key] = value
  }
  if (Object.keys(address).length > 0) profile.address = address
  const patch = AccountPatch.safeParse({
    ...(name !== undefined && { name }),
    ...(username !== undefined && { username }),
    ...(Object.keys(profile).length > 0 && { profile }),
  })
  if (patch.success) return patch.data
  // The path of a validation issue is the field's name.
  const path = patch.error.issues[0]?.path ?? []
  const field = path.filter((key) => key !== 'profile').join('.')
  const page = await boot()
  const label = profileFields.find(({ name }) => name === field)?.label ?? 'name'
  const phrases: Readonly<Record<string, string>> = await loadAccountPhrases(page.language)
  const types = [phrases[label] ?? phrases.name]
  throw new FieldProblem(field, createTranslator(page)('error.general_invalid', { types }))
}
