import { withSchemaLibrary } from '../../contract/late-schemas.ts'

export const DATA_SCHEMA = '/account/data.schema.json'

/** For anyone: the form of the file says nothing about a person. */
export async function dataSchema(url: URL): Promise<Response> {
  const { accountDataSchema } = await withSchemaLibrary(
    () => import('../../contract/account/account-data.schema.ts'),
  )
  const body = JSON.stringify(accountDataSchema(url.origin + DATA_SCHEMA), null, 2)
  return new Response(body, {
    headers: {
      'content-type': 'application/schema+json',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    },
  })
}
