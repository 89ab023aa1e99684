import { describe, expect, it } from 'vitest'
import {
  exampleTemplate,
  explainedPaths,
  findEditablePaths,
} from '../../console/areas/claim-template-paths.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'
import { findClaimPathProblem } from '../../src/domain/applications/claim-paths.ts'
import { findTemplateProblems } from '../../src/domain/applications/claim-template.ts'
import { createAnswers } from './console-answers.ts'
import { findControls, renderPage } from './console-page.tsx'

const { findNamedProblem } = await import('../../console/api/problem.ts')
const { parseJsonObject } = await import('../../console/ui/json-field.tsx')

/** Tests the card for templates of claims (spec/console#claims). */

it.each([
  { text: '{"a": "$.name"}', value: { a: '$.name' } },
  { text: '{"a":', value: undefined },
  { text: '["$.name"]', value: undefined },
  { text: 'null', value: undefined },
  { text: '"$.name"', value: undefined },
])('the text $text of a JSON field is read as $value', ({ text, value }) => {
  expect(parseJsonObject(text)).toEqual(value)
})

it.each([
  { path: 'claims.sub', problem: '`sub`: Is reserved' },
  { path: 'claims', problem: 'Is reserved' },
  { path: 'claimsOfOthers', problem: undefined },
])('the JSON field `claims` describes a problem at $path as $problem', ({ path, problem }) => {
  expect(findNamedProblem({ [path]: 'Is reserved' }, 'claims')).toBe(problem)
})

it('the example and the explained paths can be saved', () => {
  for (const owner of ['application', 'resource'] as const)
    expect(findTemplateProblems(exampleTemplate, owner)).toEqual([])
  expect(explainedPaths.flatMap(({ path }) => findClaimPathProblem(path) ?? [])).toEqual([])
})

it('the paths that users can edit are found anywhere in the template, once each', () => {
  const { accountCentre } = DEFAULT_TENANT_SETTINGS
  const template = {
    a: '$.customData.plan',
    b: ['$.roles', { c: '$.customData.plan', d: '$.name' }],
    e: 'name',
    f: '$.scopes',
  }
  expect(findEditablePaths(template, accountCentre)).toEqual(['$.customData.plan', '$.name'])
  const fields = { ...accountCentre.fields, name: 'readOnly' } as typeof accountCentre.fields
  expect(findEditablePaths(template, { ...accountCentre, fields })).toEqual(['$.customData.plan'])
  expect(findEditablePaths(null, accountCentre)).toEqual([])
})

describe('the page of an API', () => {
  const path = '/access/apis/shop-api'
  const answers = createAnswers(true)
  const markupWith = async (overrides: Record<string, unknown>) => {
    const page = await renderPage(path, {
      scopes: ['all'],
      answers: (read) => (Object.hasOwn(overrides, read) ? overrides[read] : answers(read)),
    })
    return page.markup
  }
  const steps = (markup: string) =>
    [...markup.matchAll(/<span class="tag(?: good)?">(Complete|To do)<\/span>/g)].map(([, state]) => state)
  const machine = { id: 'robot', name: 'Robot', type: 'MachineToMachine' }

  it('says which steps are complete, and links to what is missing', async () => {
    const nothing = await markupWith({ '/resources/shop-api/scopes': [], '/applications': [] })
    expect(steps(nothing)).toEqual(['To do', 'To do', 'To do'])
    expect(nothing).toContain('href="#permissions"')
    expect(nothing).toContain('href="/console/applications/~new"')

    const withRole = await markupWith({ '/applications': [machine] })
    expect(steps(withRole)).toEqual(['Complete', 'Complete', 'To do'])
    expect(withRole).toContain('Give a service the role clerks')

    const complete = await markupWith({ '/roles/clerks/applications': [machine] })
    expect(steps(complete)).toEqual(['Complete', 'Complete', 'Complete'])
    expect(complete).toContain('href="/console/applications/robot"')
  })

  it('lets owners edit claims, warns about editable values, and tells others why they cannot', async () => {
    const api = { ...(answers('/resources/shop-api') as object), claims: { plan: '$.customData.plan' } }
    const owner = await markupWith({ '/resources/shop-api': api })
    expect(findControls(owner)).toContain('Template (JSON)')
    expect(owner).toContain('so don’t derive permissions from it')
    const { markup } = await renderPage(path, { scopes: ['roles:read', 'roles:write'], answers })
    expect(findControls(markup)).not.toContain('Template (JSON)')
    expect(markup).toContain('Only owners can change this.')
  })
})
