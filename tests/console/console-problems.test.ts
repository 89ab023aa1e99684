import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildApiUrl } from '../../console/api/api-address.ts'
import { describeProblem, type Issue } from '../../console/api/problem-words.ts'
import { germanProblems } from '../../console/api/problem-words-de.ts'
import { codeOf, sourceFiles } from '../kit/source-files.ts'

/** Tests how forms describe values that the server rejects (spec/errors#invalid-input), and which URLs they call. */

const ORIGIN = 'https://id.acme.example'

/**
 * Files whose error messages concern clients other than the console, or the configuration of a deployment, and the file
 * with the general sentences, which the console words itself.
 */
const otherClients =
  /issue-sentences|client-document|client-registration|contract\/tenants\/hosts|application\/applications\/consent|account[\w.-]*$|social\/sign-in\.ts/

it('every validation message from the server has a German translation', () => {
  const sources = sourceFiles(['src/contract', 'src/domain', 'src/application', 'src/outbound']).filter(
    (file) => !otherClients.test(file),
  )
  const sentences = sources.flatMap((file) =>
    [...codeOf(file).matchAll(/'((?:belongs|cannot|contains|has|is|may|must|needs) (?:[^'\\]|\\.)+)'/g)].map(
      ([, text = '']) => text,
    ),
  )
  const known = Object.keys(germanProblems)
  expect([...new Set(sentences)].filter((text) => !known.includes(text))).toEqual([])
  expect(known.filter((text) => !sentences.includes(text))).toEqual([])
})

const Form = z.strictObject({
  name: z.string().min(1).max(3),
  count: z.number().int().min(2).max(1000),
  list: z.array(z.string()).max(1),
  kind: z.enum(['a', 'b']),
  url: z.url(),
})
const valid = { name: 'x', count: 3, list: [], kind: 'a', url: 'https://a.example' }

it.each([
  [{ name: '' }, 'must not be empty', 'darf nicht leer sein'],
  [{ name: 'abcd' }, 'must have at most 3 characters', 'muss höchstens 3 Zeichen haben'],
  [{ name: undefined }, 'is required', 'wird benötigt'],
  [{ name: 5 }, 'must be text', 'muss ein Text sein'],
  [{ count: 1 }, 'must be at least 2', 'muss mindestens 2 sein'],
  [{ count: 5000 }, 'must be at most 1,000', 'muss höchstens 1.000 sein'],
  [{ count: 2.5 }, 'must be a whole number', 'muss eine ganze Zahl sein'],
  [{ list: ['', ''] }, 'must have at most 1 entry', 'muss höchstens 1 Eintrag haben'],
  [{ kind: 'c' }, 'must be one of: a, b', 'muss eines davon sein: a, b'],
  [{ url: 'nowhere' }, 'is not a URL', 'ist keine URL'],
  [{ more: 1 }, 'has unknown keys: more', 'hat unbekannte Schlüssel: more'],
])('the input %j is reported as "%s"', (changes, en, de) => {
  const [issue] = Form.safeParse({ ...valid, ...changes }).error?.issues ?? []
  expect(issue && describeProblem(issue as Issue, 'en')).toBe(en)
  expect(issue && describeProblem(issue as Issue, 'de')).toBe(de)
})

describe('an API call’s URL', () => {
  it.each(['/users', `/users/${encodeURIComponent("ö/?#'()%2e")}/identities/a-b`, '/custom-phrases/zh-Hant'])(
    'refers to the entity for the path %s',
    (path) => {
      expect(buildApiUrl(path, ORIGIN)?.href).toBe(`${ORIGIN}/api${path}`)
    },
  )

  it.each([
    '/connectors/..\\users\\ann\\custom-data',
    '/roles/../users/ann/users',
    '/hooks/%2e%2e',
    '/hooks/.%2E/deliveries',
    '/connectors/..',
    '/connectors/../configs/signing-keys/rotate?/sign-in-tests',
    '/hooks/a?b',
    '/hooks/a#b',
    '/hooks/a\tb',
  ])('is null if an id would lead to another path: %j', (path) => {
    expect(buildApiUrl(path, ORIGIN)).toBe(null)
  })
})
