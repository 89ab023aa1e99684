import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, expect, inject, it } from 'vitest'
import { SECOND } from '../../../src/contract/time.ts'
import { managementToken, workFolder } from './commands.ts'

/** Generates clients from the OpenAPI document of a running server, compiles them, and calls the server with one. */

const folder = workFolder()
const run = promisify(execFile)

/** Both generators use the API of TypeScript 6, which TypeScript 7 does not have. This package contains it. */
const OLDER_TYPESCRIPT = `import { registerHooks } from 'node:module'
registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? '@ts-morph/common/dist/typescript.js' : name, context) })`

const generate = (script: string, ...args: string[]) =>
  run(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(OLDER_TYPESCRIPT)}`,
    path.resolve('node_modules', script),
    ...args,
  ])

/** A program of an application developer, which uses only what was generated. */
const PROGRAM = `
import { client } from './client/client.gen'
import { createApplication, createUser, deleteApplication, deleteUser, getUser, listUsers } from './client'
import { replaceUserRoles, updateUser } from './client'
import type { Application, ErrorBody, User } from './client'

export async function main(baseUrl: string, token: string) {
  client.setConfig({ baseUrl, auth: token })

  const created = await createUser({ body: { username: 'ada_generated', name: 'Ada' } })
  const user: User | undefined = created.data
  const id = user?.id ?? ''
  const listed = await listUsers({ query: { search: '%ada_generated%', isSuspended: 'false', page_size: 5 } })
  const names: (string | null)[] = (listed.data ?? []).map(({ username }) => username)

  const changed = await updateUser({ path: { id }, body: { name: 'Ada Lovelace', profile: { locale: 'en' } } })
  const roles = await replaceUserRoles({ path: { id }, body: { roleIds: [] } })

  const application = await createApplication({
    body: {
      name: 'Shop',
      type: 'SPA',
      oidcClientMetadata: { redirectUris: ['https://shop.example/callback'], postLogoutRedirectUris: [] },
    },
  })
  const shop: Application | undefined = application.data

  const unknown = await getUser({ path: { id: 'nobody' } })
  const error: ErrorBody | undefined = unknown.error

  // The other tests of this server begin without an application.
  const deleted = await deleteApplication({ path: { id: shop?.id ?? '' } })
  await deleteUser({ path: { id } })
  return {
    names,
    name: changed.data?.name,
    roles: roles.response?.status,
    redirectUris: shop?.oidcClientMetadata.redirectUris,
    error: error?.code,
    deleted: deleted.response?.status,
  }
}
`

/** The same with the types of openapi-typescript: operations by name, and schemas by name. */
const TYPED_PROGRAM = `
import type { components, operations, paths } from './types'

type Query = NonNullable<operations['listUsers']['parameters']['query']>
export const query: Query = { search: '%ada%', page_size: 5 }
export const body: operations['createApplication']['requestBody']['content']['application/json'] = {
  name: 'Shop',
  type: 'SPA',
}
// @ts-expect-error There is no such type of application.
export const wrong: components['schemas']['ApplicationCreation'] = { name: 'Shop', type: 'Toaster' }
export const change: components['schemas']['UserPatch'] = { name: 'Ada', username: null }
type Answers = paths['/api/users/{id}']['patch']['responses']
export const describe = (answer: Answers[200]['content']['application/json'] | components['schemas']['ErrorBody']) =>
  'code' in answer ? answer.code + ': ' + (answer.details ?? answer.message) : answer.username
`

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'ES2024',
  lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  moduleResolution: 'bundler',
  noUncheckedIndexedAccess: true,
  noFallthroughCasesInSwitch: true,
  types: [],
}

beforeAll(async () => {
  const document = path.join(folder, 'openapi.json')
  writeFileSync(document, await (await fetch(`${inject('origin')}/api/openapi.json`)).text())
  const client = path.join(folder, 'client')
  mkdirSync(client)
  await Promise.all([
    // By default, it would make callers send every property that has a default.
    generate(
      'openapi-typescript/bin/cli.js',
      ...[document, '--output', path.join(folder, 'types.ts'), '--default-non-nullable', 'false'],
    ),
    generate(
      '@hey-api/openapi-ts/dist/run.mjs',
      ...['--input', document, '--output', client, '--client', '@hey-api/client-fetch', '--no-log-file'],
    ),
  ])
  writeFileSync(path.join(folder, 'program.ts'), PROGRAM)
  writeFileSync(path.join(folder, 'typed-program.ts'), TYPED_PROGRAM)
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
}, 20 * SECOND)

it('compiles in strict mode to types and to a client', async () => {
  const tsc = path.resolve('node_modules/typescript/bin/tsc')
  const compiled = run(process.execPath, [tsc, '--project', folder]).catch(({ stdout }) => ({ stdout }))
  expect((await compiled).stdout).toBe('')
}, 20_000)

it('calls the server by the names of the operations', async () => {
  const program = path.join(folder, 'program.mjs')
  await build({
    entryPoints: [path.join(folder, 'program.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    logLevel: 'error',
  })
  const { main } = await import(program)
  expect(await main(inject('origin'), await managementToken())).toEqual({
    names: ['ada_generated'],
    name: 'Ada Lovelace',
    roles: 200,
    redirectUris: ['https://shop.example/callback'],
    error: 'entity.not_found',
    deleted: 204,
  })
})
