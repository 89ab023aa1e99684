import { z } from 'zod'

/** The body of an error response, and the error of a row that a call for several rows rejects (spec/errors#body). */
export const ErrorBodySchema = z
  .object({
    message: z.string(),
    code: z.string(),
    data: z.unknown().optional(),
    details: z.string().optional(),
  })
  .meta({ id: 'ErrorBody' })
