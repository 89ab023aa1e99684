import type { Row } from '../row.ts'
import { type Chromium, openChromium } from './chromium.ts'
import { arriveAt, count, pageFigures, told, within } from './page-figures.ts'
import { authorization, type Person, register, type Spot, signInAtDemo, signInAtServer } from './sign-in.ts'
import { CAREFUL } from './slow-visit.ts'
import { type Exchange, kilobytes, total } from './traffic.ts'
import { described, weigh } from './weight.ts'

/** What a visitor's browser has to wait for and to fetch (design 5). */
export async function inBrowser({ origin }: { origin: string }, pace = CAREFUL): Promise<Row[]> {
  return withChromium(async (chromium) => {
    const [person, passwordPage] = await within(chromium, (context) => register(context, origin))
    return [
      ...(await pageFigures(chromium, { name: '/sign-in', address: authorization(origin).url, pace })),
      ...(await firstVisits(chromium, origin, passwordPage)),
      ...(await signIns(chromium, origin, person)),
    ]
  })
}

/** The same page figures of another server, by an address that leads to its sign-in page. */
export async function against(url: string, pace = CAREFUL): Promise<Row[]> {
  return withChromium((chromium) => pageFigures(chromium, { name: new URL(url).host, address: url, pace }))
}

async function withChromium(measure: (chromium: Chromium) => Promise<Row[]>): Promise<Row[]> {
  const chromium = await openChromium()
  try {
    return await measure(chromium)
  } finally {
    await chromium.close()
  }
}

/** Pages that the settings of a new tenant have. */
async function firstVisits(chromium: Chromium, origin: string, passwordPage: Spot): Promise<Row[]> {
  const registration = await within(chromium, (context) =>
    arriveAt(context, authorization(origin, { interaction_mode: 'signUp' }).url),
  )
  const rows: Row[] = []
  for (const spot of [registration, passwordPage]) {
    const exchanges = await within(chromium, (context) => weigh(context, spot.url), spot)
    rows.push(told(`${new URL(spot.url).pathname}: first visit`, described(exchanges)))
  }
  for (const path of ['/unknown-session', '/demo-app']) {
    const exchanges = await within(chromium, (context) => weigh(context, origin + path))
    rows.push(told(`${path}: first visit`, described(exchanges)))
  }
  return rows
}

async function signIns(chromium: Chromium, origin: string, person: Person): Promise<Row[]> {
  const demo = await twice(chromium, true, (context) => signInAtDemo(context, origin, person))
  const scripted = await twice(chromium, true, (context) => signInAtServer(context, origin, person))
  const plain = await twice(chromium, false, (context) => signInAtServer(context, origin, person))
  return [
    told('click to tokens, demo application in the browser, cold', summed(demo.cold)),
    told('click to tokens, demo application in the browser, warm', summed(demo.warm)),
    told('sign-in to tokens, application on a server, cold', summed(scripted.cold.all)),
    told('sign-in to tokens, application on a server, warm', summed(scripted.warm.all)),
    told('the same without JavaScript, cold', summed(plain.cold.all)),
    told('the same without JavaScript, warm', summed(plain.warm.all)),
    count('requests from password to code, with JavaScript', {
      measured: scripted.cold.decisive.length,
      goal: 3,
    }),
    count('requests from password to code, without', { measured: plain.cold.decisive.length, goal: 2 }),
  ]
}

/** By a browser that was never here, and once more by the same. */
async function twice<Result>(
  chromium: Chromium,
  javaScriptEnabled: boolean,
  work: (context: Awaited<ReturnType<Chromium['fresh']>>) => Promise<Result>,
): Promise<{ cold: Result; warm: Result }> {
  const context = await chromium.fresh({ javaScriptEnabled })
  try {
    return { cold: await work(context), warm: await work(context) }
  } finally {
    await context.close()
  }
}

function summed(exchanges: readonly Exchange[]): string {
  const files = exchanges.filter(({ url }) => /\.\w+$/.test(new URL(url).pathname))
  const size = kilobytes(total(exchanges.map(({ bytes }) => bytes)))
  return `${exchanges.length} requests, ${files.length} of them for files; ${size}`
}
