import type { Dependencies } from '../../application/dependencies.ts'
import { loadCatalogue } from '../../contract/catalogue.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { RefusalError } from '../../contract/refused.ts'
import { refusalMessage } from '../../domain/messages.ts'
import { readPageContext } from '../pages/page-context.ts'
import type { Visit } from './visit.ts'

/** The reason why a form was rejected. If `field` is null, it is shown above the form, otherwise next to the field. */
export type FormProblem = { field: string | null; message: string; status: number }

/** The error for an invalid field, with the message that is shown next to the field. */
export class FieldProblem extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/**
 * Returns the reason why a form was rejected, in the page's language, or null if the error has another cause. `fieldOf`
 * maps error codes to the fields next to which they are shown. All other codes are shown above the form.
 */
export async function findFormProblem(
  dependencies: Dependencies,
  visit: Visit,
  error: Error,
  fieldOf: Readonly<Partial<Record<ErrorCode, string>>> = {},
): Promise<FormProblem | null> {
  if (error instanceof FieldProblem) return { field: error.field, message: error.message, status: 422 }
  if (!(error instanceof RefusalError)) return null
  const { code, status, data } = error.refusal
  const { language } = await readPageContext(dependencies, visit)
  const message = refusalMessage({ catalogue: await loadCatalogue(language), language }, code, data)
  return { field: fieldOf[code] ?? null, message, status }
}
