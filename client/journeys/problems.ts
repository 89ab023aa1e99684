import type { BootData, FieldName } from '../../src/contract/interactions/boot.ts'
import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import { signInScreen } from '../../src/domain/experience/experience-rules.ts'
import { createTranslator } from '../context/phrases.ts'
import type { FormValues, Reaction } from '../reactions/reactions.ts'
import { findIdentifierProblem, type IdentifierForm } from './identifiers.ts'

/** The validation errors of a form by field name, in page order (spec/pages#validation). */
export type FieldProblems = { readonly [Name in FieldName]?: string | undefined }

export type Validator = (form: FormValues, boot: BootData) => FieldProblems

/** A validator whose code may have to be loaded first. */
export type AsyncValidator = (...form: Parameters<Validator>) => FieldProblems | Promise<FieldProblems>

/** Returns the identifier types that the sign-in page accepts. */
export function signInIdentifierTypes({
  experience,
}: Pick<BootData, 'experience'>): readonly IdentifierType[] {
  const screen = signInScreen(experience)
  return 'identifiers' in screen ? screen.identifiers : []
}

/** Returns a validator for a form that asks for an identifier of one of the accepted types. */
export const createIdentifierValidator =
  (
    acceptedBy: (boot: BootData) => readonly IdentifierType[],
    purpose: IdentifierForm['purpose'] = 'new',
  ): Validator =>
  (form, boot) =>
    omitFieldsWithoutProblem({
      identifier: findIdentifierProblem({ form, boot, accepted: acceptedBy(boot), purpose }),
    })

export const validatePassword: Validator = (form, boot) =>
  omitFieldsWithoutProblem({
    password: form.password ? null : createTranslator(boot)('error.password_required'),
  })

/** Returns the first problem as a reaction. It is used on the server; the browser has already shown all problems. */
export function findFirstProblem(problems: FieldProblems): Reaction | null {
  const [first] = Object.entries(problems) as [FieldName, string][]
  return first ? { kind: 'inline', about: first[0], message: first[1] } : null
}

/** Omits the fields that have no problem. */
export function omitFieldsWithoutProblem(problems: Record<string, string | null>): FieldProblems {
  return Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== null),
  )
}
