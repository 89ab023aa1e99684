/// <reference types="vite/types/importMeta.d.ts" />
import { createGuide, type Guide, type GuideValues, type Sample } from './sample.ts'

/** The samples are the only source of the guides. This module is large, so it is loaded with the first guide. */
const descriptions = import.meta.glob<Sample>('../../../../samples/*/sample.json', {
  eager: true,
  import: 'default',
})
const sources = import.meta.glob<string>(
  ['../../../../samples/*/**/*', '!**/{sample,package}.json', '!**/README.md'],
  { eager: true, import: 'default', query: '?raw' },
)

const folder = '../../../../samples'

/** The samples by the name of their folder: executed ones first, then by name. */
export const samples: ReadonlyMap<string, Sample> = new Map(
  Object.entries(descriptions)
    .map(([file, sample]) => [file.slice(folder.length + 1, -'/sample.json'.length), sample] as const)
    .sort(([, a], [, b]) => Number(b.executed) - Number(a.executed) || a.name.localeCompare(b.name)),
)

/** Returns the guides for a kind of application, or for code that protects an API, with the given values. */
export const findGuides = (kind: Sample['kinds'][number], values: GuideValues): readonly Guide[] =>
  [...samples].flatMap(([id, sample]) =>
    sample.kinds.includes(kind) ? [renderSample(id, sample, values)] : [],
  )

/** Fills values into the sample in a folder. */
export const renderSample = (id: string, sample: Sample, values: GuideValues): Guide =>
  createGuide(id, sample, (file) => sources[`${folder}/${id}/${file}`] ?? missing(id, file), values)

function missing(id: string, file: string): never {
  throw new Error(`samples/${id} has no file ${file}`)
}
