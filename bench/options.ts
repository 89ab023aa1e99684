import { parseArgs } from 'node:util'

/** The sections that run by default. The others take minutes. */
const defaultSections = ['server', 'distance', 'browser', 'hashing'] as const
export const sectionNames = [...defaultSections, 'database', 'load'] as const
export type SectionName = (typeof sectionNames)[number]

export type Options = {
  sections: readonly SectionName[]
  /** The URL of another server's sign-in page to compare with ours, or null if there is none. */
  against: string | null
  isJson: boolean
}

export const usage = `Usage: npm run bench [-- --only ${sectionNames.join('|')}] [--against URL] [--json]`

/** Parses the arguments. Returns the options, or a description of the problem. */
export function readOptions(args: string[]): Options | { problem: string } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string', multiple: true },
        against: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const { only = [], against = null, json } = values
    const sections = only.flatMap((each) => each.split(','))
    const unknown = sections.find((each) => !isSection(each))
    if (unknown !== undefined) return { problem: `There is no section "${unknown}".` }
    if (against !== null && !/^https?:$/.test(URL.parse(against)?.protocol ?? ''))
      return { problem: `"${against}" isn't an http or https URL.` }
    const all = against === null ? defaultSections : (['browser'] as const)
    return { sections: sections.length > 0 ? sections.filter(isSection) : all, against, isJson: json }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

const isSection = (text: string): text is SectionName => sectionNames.some((name) => name === text)
